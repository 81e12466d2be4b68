import type { HttpEnv } from '@errand/platform';
import { createAreaApp, type ServiceDeps, whenCharged } from '@errand/service';
import type { Hono } from 'hono';
import { measureRequests } from './measure-requests.ts';
import { refuseOthers } from './refuse-others.ts';
import type { StreamingHandler } from './runtime.ts';
import { serve } from './serve.ts';
import { type StartOptions, start } from './start.ts';

/** The handler of an area's function: the router's secret first, then what every response has, then the routes. */
export async function apiHandler(
  area: string,
  options: StartOptions,
  mount: (app: Hono<HttpEnv>, parts: ServiceDeps) => void,
): Promise<StreamingHandler> {
  const parts = await start(options);
  const refuse = refuseOthers(parts.config.originSecret);
  const app = createAreaApp(parts);
  app.use('*', measureRequests(parts, area));
  mount(app, parts);
  return serve((request) => refuse(request) ?? app.fetch(request), {
    log: parts.log,
    whenDone: () => whenCharged(parts),
  });
}
