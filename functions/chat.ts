import { createInference, mountChat } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

/** Chat completions, models and prices. */
export const handler = await apiHandler('chat', { models: true }, (app, parts) =>
  mountChat(app, parts, createInference(parts)),
);
