import { limits } from '@errand/platform';
import { mountAgents } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

/** Runs, uploads, files and saved values. */
export const handler = await apiHandler('agents', { models: true }, (app, parts) =>
  mountAgents(app, parts, { streamMilliseconds: limits.streamMilliseconds }),
);
