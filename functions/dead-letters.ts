import { deadLettersHandler } from '@errand/service';
import { start } from './lambda/start.ts';

/** Ends the runs whose messages became dead letters. */
export const handler = deadLettersHandler(await start({ models: false }));
