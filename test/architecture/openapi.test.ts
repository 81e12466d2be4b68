import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseCatalogue } from '@errand/models';
import { readConfig, silentLog, systemClock } from '@errand/platform';
import { createServiceDeps, createWholeApp } from '@errand/service';
import { beforeAll, expect, test } from 'vitest';
import { simpleCatalogue } from '../support/service.ts';

type Document = {
  openapi: string;
  paths: Record<string, Record<string, { responses?: object; security?: unknown[] }>>;
};

let routes: { method: string; path: string }[];
let document: Document;

// The app is never asked for more than its document, so it needs neither AWS nor a model.
beforeAll(async () => {
  const app = createWholeApp(
    createServiceDeps({
      config: readConfig('local', { DATA_DIR: await mkdtemp(path.join(tmpdir(), 'errand-openapi-')) }),
      catalogue: parseCatalogue(simpleCatalogue('http://127.0.0.1:1/v1'), () => undefined),
      clock: systemClock,
      log: silentLog,
    }),
  );
  routes = app.routes.filter(({ method }) => method !== 'ALL');
  document = (await (await app.request('/openapi.json')).json()) as Document;
});

const toOpenApi = (route: string) => route.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}');

test('every route is in the OpenAPI document', () => {
  const missing = routes.filter(
    ({ method, path: route }) => !document.paths[toOpenApi(route)]?.[method.toLowerCase()],
  );
  expect(missing.map(({ method, path: route }) => `${method} ${route}`)).toEqual([]);
  expect(routes.length).toBeGreaterThan(20);
});

test('every route of the document is served, and has its responses and whether it needs a key', () => {
  const served = new Set(
    routes.map(({ method, path: route }) => `${method.toLowerCase()} ${toOpenApi(route)}`),
  );
  for (const [route, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      expect(served).toContain(`${method} ${route}`);
      expect(Object.keys(operation.responses ?? {})).not.toEqual([]);
      expect(Array.isArray(operation.security)).toBe(true);
    }
  }
});

test('a form has its file as bytes, and lists are described as JSON Schema of 2020 has them', () => {
  const form = document.paths['/v1/agents/runs']?.post as unknown as {
    requestBody: { content: Record<string, { schema: { properties: Record<string, object> } }> };
  };
  expect(form.requestBody.content['multipart/form-data']?.schema.properties.file).toMatchObject({
    type: 'string',
    format: 'binary',
    contentMediaType: 'application/octet-stream',
  });
  expect(JSON.stringify(document)).not.toContain('"items":[');
  // valibot schemas without a JSON Schema become `{}`.
  expect(JSON.stringify(document)).not.toContain('{"anyOf":[{}');
});
