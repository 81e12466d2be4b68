import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig, silentLog, systemClock } from '@errand/platform';
import { createServiceDeps, createWholeApp } from '@errand/service';

interface JsonSchema {
  [keyword: string]: unknown;
}

export interface MediaType {
  schema: JsonSchema;
  example?: unknown;
}

export interface Reference {
  $ref: string;
}

export interface DescribedResponse {
  description: string;
  headers?: Record<string, DescribedHeader | Reference>;
  content?: Record<string, MediaType>;
}

export interface DescribedOperation {
  operationId: string;
  tags?: string[];
  description?: string;
  security?: object[];
  parameters?: { name: string; in: string; description?: string; schema: JsonSchema; example?: unknown }[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, DescribedResponse | Reference>;
}

export interface DescribedHeader {
  description?: string;
  required: boolean;
  schema: JsonSchema;
  example: unknown;
}

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, DescribedOperation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, DescribedResponse>;
    headers: Record<string, DescribedHeader>;
  };
}

export interface DescribedApp {
  routes: { method: string; path: string }[];
  document: OpenApiDocument;
}

let made: Promise<DescribedApp> | undefined;

/** The service's document, made once for each worker. Its app is asked for no more, so it needs neither AWS nor a model. */
export const describedApp = (): Promise<DescribedApp> => {
  made ??= describeService();
  return made;
};

async function describeService(): Promise<DescribedApp> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-openapi-'));
  const app = createWholeApp(
    createServiceDeps({
      config: readConfig('local', { DATA_DIR: dataDir }),
      catalogue: { models: [], roles: {} },
      clock: systemClock,
      log: silentLog,
    }),
  );
  const document = (await (await app.request('/openapi.json')).json()) as OpenApiDocument;
  await rm(dataDir, { recursive: true, force: true });
  return { routes: app.routes.filter(({ method }) => method !== 'ALL'), document };
}

/** What a reference of the document stands for; anything else is itself. */
export function deref<T extends object>(document: OpenApiDocument, part: T | Reference): T {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T;
  return part.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as T;
}
