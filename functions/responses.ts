import { limits } from '@errand/platform';
import { createInference, mountResponses } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

/** Serves responses: of chat models, and runs in the same words. */
export const handler = await apiHandler('responses', { models: true, links: true }, (app, deps) =>
  mountResponses(app, deps, createInference(deps), { streamMilliseconds: limits.streamMilliseconds }),
);
