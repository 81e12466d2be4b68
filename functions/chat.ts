import { createInference, mountChat } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

/** Serves chat completions, models and prices. */
export const handler = await apiHandler('chat', { models: true }, (app, deps) =>
  mountChat(app, deps, createInference(deps)),
);
