import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SkillService, startSkillService } from './support.ts';

const routes = [
  ['GET', '/v1/skills'],
  ['POST', '/v1/skills'],
  ['GET', '/v1/skills/x'],
  ['PATCH', '/v1/skills/x'],
  ['DELETE', '/v1/skills/x'],
  ['GET', '/v1/skills/x/versions'],
  ['GET', '/v1/skills/x/versions/1'],
  ['POST', '/v1/skills/x/versions/1/restore'],
] as const;

let on: SkillService;
let off: SkillService;
beforeAll(async () => {
  on = await startSkillService({ rateLimitRequests: 1 });
  off = await startSkillService({ skillsEnabled: false });
});
afterAll(() => Promise.all([on.close(), off.close()]));

test.each(routes)(
  '%s %s 503 where skills are off, with or without a key, counting nothing',
  async (method, path) => {
    const caller = await off.newCaller();
    for (const send of [off.send, caller.send]) {
      const answer = await send(method, path, method === 'GET' ? {} : { text: '{' });
      expect([answer.status, answer.text]).toEqual([503, 'Skills are not enabled']);
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
  await caller.send('GET', '/v1/skills');
  const answer = await caller.send(method, path, method === 'GET' ? {} : { text: '{' });
  expect([answer.status, answer.text]).toEqual([429, 'Too many requests, please try again later.']);
  for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After'])
    expect(answer.headers.get(name)).toMatch(/^\d+$/);
});

test('405 names the methods of a known path', async () => {
  const answer = await on.send('PUT', '/v1/skills/x');
  expect(answer.status).toBe(405);
  expect(answer.headers.get('Allow')).toContain('PATCH');
});
