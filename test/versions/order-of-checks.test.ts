import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kinds } from './kinds.ts';
import { type NamedService, startService } from './support.ts';

describe.each(kinds)('$noun', (kind) => {
  const routes = [
    ...(kind.isListGuarded ? [['GET', '']] : []),
    ['POST', ''],
    ['GET', '/x'],
    ['PATCH', '/x'],
    ['DELETE', '/x'],
    ['GET', '/x/versions'],
    ['GET', '/x/versions/1'],
    ['POST', '/x/versions/1/restore'],
  ].map(([method = '', rest]) => [method, kind.path + rest] as const);

  let on: NamedService;
  let off: NamedService;
  beforeAll(async () => {
    on = await startService(kind, { rateLimitRequests: 1 });
    off = await startService(kind, { off: true });
  });
  afterAll(() => Promise.all([on.close(), off.close()]));

  test.each(routes)(
    '%s %s 503 where the kind is off, with or without a key, counting nothing',
    async (method, path) => {
      const caller = await off.newCaller();
      for (const send of [off.send, caller.send]) {
        const answer = await send(method, path, method === 'GET' ? {} : { text: '{' });
        expect([answer.status, answer.text]).toEqual([503, kind.off.text]);
        expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/);
        expect(answer.headers.get('RateLimit-Limit')).toBeNull();
      }
    },
  );

  test.each(routes)('%s %s 401 without a known key, before the body', async (method, path) => {
    const wrong: Record<string, string>[] = [{}, { Authorization: 'Bearer nonsense' }];
    for (const headers of wrong) {
      const answer = await on.send(method, path, { headers, ...(method !== 'GET' && { text: '{' }) });
      expect([answer.status, answer.text]).toEqual([401, 'Unauthorized']);
    }
  });

  test.each(routes)('%s %s 429 past the rate limit, before the body and the id', async (method, path) => {
    const caller = await on.newCaller();
    await caller.send('GET', `${kind.path}/x`);
    const answer = await caller.send(method, path, method === 'GET' ? {} : { text: '{' });
    expect([answer.status, answer.text]).toEqual([429, 'Too many requests, please try again later.']);
    for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After'])
      expect(answer.headers.get(name)).toMatch(/^\d+$/);
  });

  test('405 names the methods of a known path', async () => {
    const answer = await on.send('PUT', `${kind.path}/x`);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toContain('PATCH');
  });
});
