import fc from 'fast-check';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { toRequest } from './to-request.ts';

const app = new Hono().delete('/v1/values/:name{[\\s\\S]+}', (c) => c.json(c.req.param('name')));

/** The name that the service deletes when the platform hands over this path. */
async function deletedName(rawPath: string): Promise<unknown> {
  const event = {
    rawPath,
    rawQueryString: '',
    headers: {},
    requestContext: { domainName: 'url.example', http: { method: 'DELETE' } },
  };
  const response = await app.fetch(toRequest(event, new AbortController().signal));
  return response.ok ? response.json() : response.status;
}

const names = [
  'a/b',
  'what?',
  'what?x=1',
  '#1',
  '50%',
  '100% of it',
  'ä',
  '日本/語',
  'a b',
  '"quoted"',
  '[1]',
  'a\\b',
];

test.each(names)('a value named %s is itself, whether the platform decodes the path or not', async (name) => {
  expect(await deletedName(`/v1/values/${encodeURIComponent(name)}`)).toBe(name);
  expect(await deletedName(`/v1/values/${name}`)).toBe(name);
});

test('any name is itself where the path comes as it was sent', async () => {
  const name = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    .filter((text) => text.isWellFormed());
  await fc.assert(
    fc.asyncProperty(name, async (text) => {
      fc.pre(!/^(\.|%2e){1,2}$/i.test(text));
      expect(await deletedName(`/v1/values/${encodeURIComponent(text)}`)).toBe(text);
    }),
    { numRuns: 300 },
  );
});

test('a decoded name never stands for another one, unless it is the escape of that one', async () => {
  const name = fc.string({ unit: fc.constantFrom(...'aä/?#% 4=&+'), minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(name, async (text) => {
      fc.pre(!text.startsWith('/') && !/%[0-9a-f]{2}/i.test(text));
      expect(await deletedName(`/v1/values/${text}`)).toBe(text);
    }),
    { numRuns: 300 },
  );
});
