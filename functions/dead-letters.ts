import { deadLettersHandler } from '@errand/service';
import { start } from './lambda/start.ts';

/** Ends the runs whose messages are in the dead-letter queue. */
export const handler = deadLettersHandler(await start({ models: false }));
