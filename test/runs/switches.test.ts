import { describe, expect, test } from 'vitest';
import { heldClock } from '../support/accounts.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let service: TestService;

useService(
  (started) => ({ service } = started),
  () => ({
    // No window of the rate ends between two requests.
    clock: heldClock(new Date().toISOString()),
    env: {
      AGENTS_ENABLED: 'false',
      FILE_EXPORT_ENABLED: 'false',
      RATE_LIMIT_REQUESTS: '5',
      SKILLS_ENABLED: 'false',
    },
  }),
);

describe('with agents switched off', () => {
  test('creation is a 503 even without credits, and listings and reads work', async () => {
    const { key } = await service.newAccount('0');
    const response = await service.post('/v1/agents/runs', {}, { key });
    expect([response.status, await response.text()]).toEqual([503, 'Agent service is not enabled']);
    const inResponses = await service.post(
      '/v1/responses',
      { model: 'agent:default', store: false },
      { key },
    );
    expect([inResponses.status, await inResponses.json()]).toMatchObject([
      503,
      { error: { message: 'Agent service is not enabled', code: 'agents_disabled' } },
    ]);
    expect((await service.request('/v1/agents', { key })).status).toBe(200);
    expect((await service.request('/v1/agents/runs/none', { key })).status).toBe(404);
  });
});

describe('past the rate limit', () => {
  test('every endpoint answers 429 for every key of the account, and 401 still comes first', async () => {
    const { accountId, key } = await service.newAccount();
    const second = await service.newKey(accountId);
    for (let i = 0; i < 5; i++) {
      const response = await service.request('/v1/agents', { key });
      expect(response.headers.get('RateLimit-Remaining')).toBe(String(4 - i));
    }
    for (const path of ['/v1/agents', '/v1/agents/runs/x', '/v1/values', '/v1/unknown', '/v1/credits']) {
      const response = await service.request(path, { key: second });
      expect([path, response.status]).toEqual([path, 429]);
      expect(await response.text()).toBe('Too many requests, please try again later.');
      expect(response.headers.get('RateLimit-Limit')).toBe('5');
      expect(response.headers.get('RateLimit-Remaining')).toBe('0');
      expect(response.headers.get('Retry-After')).toBe(response.headers.get('RateLimit-Reset'));
    }
    expect((await service.post('/v1/agents/runs', {}, { key: second })).status).toBe(429);
    expect((await service.request('/v1/agents', { key: `${key}x` })).status).toBe(401);
  });
});
