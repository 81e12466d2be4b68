import { sendHandler } from '@errand/service';
import { start } from './lambda/start.ts';

/** Sends what webhooks are told. */
export const handler = sendHandler(await start({ models: false }));
