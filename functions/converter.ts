import { converterHandler } from '@errand/service';
import { start } from './lambda/start.ts';

/** Reads documents for other functions, because that takes more memory than anything else they do. */
export const handler = converterHandler(await start({ models: false }));
