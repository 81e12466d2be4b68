import { deadLetterHandler } from '@errand/runs';
import { workerDeps } from '@errand/service';
import { start } from './lambda/start.ts';

/** Ends the runs whose messages the queue gave up on. */
export const handler = deadLetterHandler(workerDeps(await start(), { inlineImages: false }));
