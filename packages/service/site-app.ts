import { accountRoutes } from '@errand/accounts';
import { describeRoutes, type HttpEnv, soon } from '@errand/platform';
import type { Hono } from 'hono';
import { accountsDeps, type ServiceDeps } from './deps.ts';
import { createHealth } from './health.ts';

/** Resolves with the OpenAPI document as JSON. */
export type OpenApiText = () => Promise<string>;

const describe = describeRoutes(() => import('./site-descriptions.ts'));

/** Mounts the account's routes, `/healthz`, `/livez` and `/openapi.json`. */
export function mountSite(app: Hono<HttpEnv>, deps: ServiceDeps, openApi: OpenApiText): void {
  const isHealthy = createHealth(deps);
  app.route('/', accountRoutes(accountsDeps(deps)));
  app.get('/healthz', describe('getHealth'), async (c) =>
    (await isHealthy()) ? c.json({ status: 'ok' }) : c.json({ status: 'unavailable' }, 503, soon),
  );
  app.get('/livez', describe('getLiveness'), (c) => c.json({ status: 'ok' }));
  app.get('/openapi.json', describe('getOpenApi'), async (c) =>
    c.body(await openApi(), 200, { 'Content-Type': 'application/json' }),
  );
}
