import { requireKey } from '@errand/accounts';
import { moneyRoutes } from '@errand/money';
import { describeRoutes, type HttpEnv, soon, writesFail } from '@errand/platform';
import type { Hono } from 'hono';
import { accountsDeps, type ServiceDeps } from './deps.ts';
import { createHealth } from './health.ts';

/** Resolves with the OpenAPI document as JSON. */
export type OpenApiText = () => Promise<string>;

const describe = describeRoutes(() => import('./site-descriptions.ts'));

/** Mounts the account's routes, `/healthz`, `/livez` and `/openapi.json`. */
export function mountSite(app: Hono<HttpEnv>, deps: ServiceDeps, openApi: OpenApiText): void {
  const isHealthy = createHealth(deps);
  const accounts = accountsDeps(deps);
  app.route('/', moneyRoutes(accounts, requireKey(accounts)));
  app.get('/healthz', describe('getHealth'), async (c) =>
    (await isHealthy()) && !writesFail(deps.aws)
      ? c.json({ status: 'ok' })
      : c.json({ status: 'unavailable' }, 503, soon),
  );
  app.get('/livez', describe('getLiveness'), (c) => c.json({ status: 'ok' }));
  app.get('/openapi.json', describe('getOpenApi'), async (c) =>
    c.body(await openApi(), 200, { 'Content-Type': 'application/json' }),
  );
}
