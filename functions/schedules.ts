import { scheduleTicker } from '@errand/service';
import { start } from './lambda/start.ts';

const tick = scheduleTicker(await start({ models: true }));

/** Called once a minute. A deploy calls it with an empty list, to see whether it starts. */
export const handler = async (event: { Records?: unknown[] }): Promise<void> => {
  if (event.Records === undefined) await tick();
};
