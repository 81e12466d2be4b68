import type { HttpEnv } from '@errand/platform';
import { createAreaApp, type ServiceDeps, whenCharged } from '@errand/service';
import type { Hono } from 'hono';
import { measureRequests } from './measure-requests.ts';
import { refuseOthers } from './refuse-others.ts';
import type { StreamingHandler } from './runtime.ts';
import { serve } from './serve.ts';
import { type StartOptions, start } from './start.ts';

/** The handler of an area's function. It checks the router's secret before the app sees a request. */
export async function apiHandler(
  area: string,
  options: StartOptions,
  mount: (app: Hono<HttpEnv>, parts: ServiceDeps) => void,
): Promise<StreamingHandler> {
  const parts = await start(options);
  const refuse = refuseOthers(parts.config.originSecrets);
  const app = createAreaApp(parts);
  app.use('*', measureRequests(parts, area));
  mount(app, parts);
  return serve((request, env) => refuse(request) ?? app.fetch(request, env), {
    log: parts.log,
    whenDone: () => whenCharged(parts),
  });
}
