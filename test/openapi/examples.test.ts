import { beforeAll, describe, expect, test } from 'vitest';
import { compileSchemas, type Validate } from '../support/document/compile-schemas.ts';
import { deref, describedApp, type MediaType, type OpenApiDocument } from '../support/openapi-document.ts';

let document: OpenApiDocument;
let validate: Validate;

beforeAll(async () => {
  ({ document } = await describedApp());
  validate = compileSchemas(document);
});

interface Example {
  at: string;
  media: MediaType;
}

const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

const bodies = (): Example[] =>
  operations().flatMap(({ operationId, requestBody, responses }) => [
    ...Object.entries(requestBody?.content ?? {}).map(([type, media]) => ({
      at: `${operationId} request ${type}`,
      media,
    })),
    ...Object.entries(responses).flatMap(([status, response]) =>
      Object.entries(deref(document, response).content ?? {}).map(([type, media]) => ({
        at: `${operationId} ${status} ${type}`,
        media,
      })),
    ),
  ]);

describe('examples', () => {
  test('are at every body of every operation, and match its schema', () => {
    const wrong = bodies().flatMap(({ at, media }) =>
      'example' in media
        ? (validate(media.schema, media.example) ?? []).map((problem) => `${at}: ${problem}`)
        : [`${at}: none`],
    );
    expect(wrong).toEqual([]);
    expect(bodies().length).toBeGreaterThan(150);
  });

  test('of parameters and headers match their schema', () => {
    const parameters = operations().flatMap(({ operationId, parameters = [] }) =>
      parameters.map(({ name, schema, example }) => ({ at: `${operationId} ${name}`, schema, example })),
    );
    const headers = operations()
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap((response) => Object.entries(deref(document, response).headers ?? {}))
      .map(([name, header]) => ({ at: name, ...deref(document, header) }));
    const wrong = [...parameters, ...headers].filter(
      ({ schema, example }) => example !== undefined && validate(schema, example) !== undefined,
    );
    expect(wrong.map(({ at }) => at)).toEqual([]);
  });
});
