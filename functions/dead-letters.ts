import { deadLettersHandler } from '@errand/service';
import { start } from './lambda/start.ts';

/** Ends the runs whose messages the queue gave up on. */
export const handler = deadLettersHandler(await start({ models: false }));
