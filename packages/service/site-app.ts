import { accountRoutes } from '@errand/accounts';
import { describeRoute, type HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import { openAPIRouteHandler } from 'hono-openapi';
import * as v from 'valibot';
import { accountsDeps, type Parts } from './parts.ts';

/** The account's own routes, `/healthz`, and `/openapi.json` of every route that `app` has when it is asked for. */
export function mountSite(app: Hono<HttpEnv>, parts: Parts): void {
  app.route('/', accountRoutes(accountsDeps(parts)));
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
    openAPIRouteHandler(app, {
      documentation: {
        openapi: '3.1.0',
        info: {
          title: 'Errand',
          version: '0.1.0',
          description: 'Agent runs, skills, decisions and streaming chat behind one key.',
        },
        components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      },
    }),
  );
}
