import { createInference, mountDecisions } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

export const handler = await apiHandler('systemone', { models: true }, (app, parts) =>
  mountDecisions(app, parts, createInference(parts)),
);
