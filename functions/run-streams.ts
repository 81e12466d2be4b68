import { limits } from '@errand/platform';
import { mountRunStreams } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

/** Serves the streams of runs, which hold a function for minutes and need little of it. */
export const handler = await apiHandler('run-streams', { models: false }, (app, deps) =>
  mountRunStreams(app, deps, { streamMilliseconds: limits.streamMilliseconds }),
);
