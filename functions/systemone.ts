import { createInference, mountDecisions } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

/** Serves decisions. */
export const handler = await apiHandler('systemone', { models: true }, (app, deps) =>
  mountDecisions(app, deps, createInference(deps)),
);
