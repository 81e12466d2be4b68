import { accountRoutes } from '@errand/accounts';
import { describeRoute, type HttpEnv, soon } from '@errand/platform';
import type { Hono } from 'hono';
import * as v from 'valibot';
import { accountsDeps, type ServiceDeps } from './deps.ts';
import { createHealth } from './health.ts';

/** Resolves with the OpenAPI document as JSON. */
export type OpenApiText = () => Promise<string>;

const status = <S extends string>(word: S) => ({
  'application/json': v.object({ status: v.literal(word) }),
});

/** Mounts the account's routes, `/healthz`, `/livez` and `/openapi.json`. */
export function mountSite(app: Hono<HttpEnv>, deps: ServiceDeps, openApi: OpenApiText): void {
  const isHealthy = createHealth(deps);
  app.route('/', accountRoutes(accountsDeps(deps)));
  app.get(
    '/healthz',
    describeRoute({
      summary: 'Whether requests can be served',
      tag: 'service',
      public: true,
      responses: {
        200: { description: 'They can', content: status('ok') },
        503: { description: 'The store does not answer', content: status('unavailable') },
      },
    }),
    async (c) =>
      (await isHealthy()) ? c.json({ status: 'ok' }) : c.json({ status: 'unavailable' }, 503, soon),
  );
  app.get(
    '/livez',
    describeRoute({
      summary: 'Whether the process lives',
      tag: 'service',
      public: true,
      responses: { 200: { description: 'It does', content: status('ok') } },
    }),
    (c) => c.json({ status: 'ok' }),
  );
  app.get(
    '/openapi.json',
    describeRoute({
      summary: 'This document',
      tag: 'service',
      public: true,
      responses: {
        200: {
          description: 'OpenAPI 3.1',
          content: { 'application/json': v.looseObject({ openapi: v.string() }) },
        },
      },
    }),
    async (c) => c.body(await openApi(), 200, { 'Content-Type': 'application/json' }),
  );
}
