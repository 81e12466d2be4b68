import { createInference, mountMcp } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

/** Serves other agents. */
export const handler = await apiHandler('mcp', { models: true }, (app, deps) =>
  mountMcp(app, deps, createInference(deps)),
);
