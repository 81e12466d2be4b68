import { accountRoutes } from '@errand/accounts';
import { describeRoute, type HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import * as v from 'valibot';
import { accountsDeps, type ServiceDeps } from './deps.ts';

/** Resolves with the OpenAPI document as JSON. */
export type OpenApiText = () => Promise<string>;

/** Mounts the account's routes, `/healthz` and `/openapi.json`. */
export function mountSite(app: Hono<HttpEnv>, deps: ServiceDeps, openApi: OpenApiText): void {
  app.route('/', accountRoutes(accountsDeps(deps)));
  app.get(
    '/healthz',
    describeRoute({
      summary: 'Whether requests can be served',
      tag: 'service',
      public: true,
      responses: {
        200: {
          description: 'They can',
          content: { 'application/json': v.object({ status: v.literal('ok') }) },
        },
      },
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
