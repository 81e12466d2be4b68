import { accountRoutes } from '@errand/accounts';
import { describeRoute, type HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import { generateSpecs } from 'hono-openapi';
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
    async (c) => c.json(await describeApp(app)),
  );
}

const documentation = {
  openapi: '3.1.0',
  info: {
    title: 'Errand',
    version: '0.1.0',
    description: 'Agent runs, skills, decisions and streaming chat behind one key.',
  },
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
} as const;

/** The OpenAPI document of every route of an app, made once. */
const describeApp = once((app: Hono<HttpEnv>) =>
  generateSpecs(app, { documentation, excludeStaticFile: false }),
);

function once<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
