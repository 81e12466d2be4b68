import { limits } from '@errand/platform';
import { expect, test } from 'vitest';
import { describedApp } from '../support/openapi-document.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let service: TestService;
useService((started) => ({ service } = started));

const { document } = await describedApp();

/** Every operation with its parameters of a kind. */
const operationsWith = (kind: string) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, parameters = [] }]) => {
      const names = parameters.filter((parameter) => parameter.in === kind).map(({ name }) => name);
      return names.length > 0 ? [{ operationId, method: method.toUpperCase(), path, names }] : [];
    }),
  );

const inPath = (path: string, text: string) => path.replaceAll(/\{\w+\}/g, text);

// With the rest of a request's head, no more than 16 KB reach the service.
test.each([1_000, 2_049, limits.parameterCharacters, 7_000])(
  'a parameter of %i characters in a path is refused as unknown',
  async (characters) => {
    const operations = operationsWith('path');
    expect(operations.length).toBeGreaterThan(15);
    for (const { operationId, method, path } of operations) {
      const answer = await service.request(inPath(path, 'x'.repeat(characters)), { method });
      expect([operationId, answer.status]).toEqual([operationId, expect.toSatisfy(isRefusal)]);
      expect((await answer.text()).length).toBeLessThan(1_000);
    }
  },
);

test('a parameter of a query that is too long is refused, and not repeated', async () => {
  const operations = operationsWith('query');
  expect(operations.length).toBeGreaterThan(8);
  for (const { operationId, method, path, names } of operations)
    for (const name of names) {
      const text = 'x'.repeat(limits.parameterCharacters + 1);
      const answer = await service.request(`${inPath(path, 'x')}?${name}=${text}`, { method });
      expect([operationId, name, answer.status]).toEqual([operationId, name, expect.toSatisfy(isRefusal)]);
      expect((await answer.text()).length).toBeLessThan(1_000);
    }
});

const isRefusal = (status: number) => status >= 400 && status < 500;
