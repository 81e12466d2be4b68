import { countUnrouted } from '@errand/accounts';
import { createApp, type HttpEnv } from '@errand/platform';
import { skillRoutes } from '@errand/skills';
import type { Hono } from 'hono';
import { mountAgents } from './agents-app.ts';
import { accountsDeps, type Parts, skillsDeps } from './parts.ts';
import { mountSite } from './site-app.ts';

/** Every route in one app: what one machine serves, and what `openapi.json` describes. */
export function createWholeApp(parts: Parts): Hono<HttpEnv> {
  const accounts = accountsDeps(parts);
  const app = createApp({ log: parts.log, countUnrouted: countUnrouted(accounts) });
  mountAgents(app, parts);
  app.route('/', skillRoutes({ ...skillsDeps(parts), accounts }));
  mountSite(app, parts);
  return app;
}
