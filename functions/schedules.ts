import { scheduleTicker } from '@errand/service';
import { start } from './lambda/start.ts';

const tick = scheduleTicker(await start({ models: true, links: true }));

/** Called once a minute. */
export const handler = () => tick();
