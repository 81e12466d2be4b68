import { request } from 'node:http';
import { createKey } from '@errand/accounts';
import { type KeyLimits, limits } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newTestAccount } from '../support/accounts.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';
import { type ChatService, chatCatalogue, startChatService } from './support/chat-service.ts';
import { answersPlainly } from './support/chunks.ts';

const requestsOfWindow = 3;

let upstream: ScriptedUpstream;
let service: ChatService;

beforeAll(async () => {
  upstream = await startUpstream();
  const rate = { rateLimitRequests: requestsOfWindow };
  service = await startChatService(chatCatalogue(upstream.baseUrl), rate);
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});
beforeEach(() => upstream.script(answersPlainly));

const messages = [{ role: 'user', content: 'Say hello' }];
const right = JSON.stringify({ model: 'writer', max_tokens: 9, messages });
const wrong = {
  'no JSON': '{"model":',
  'a wrong field': '{}',
  'an unknown model': JSON.stringify({ model: 'nobody', max_tokens: 9, messages }),
  'a skill that is none': JSON.stringify({ model: 'writer', max_tokens: 9, messages, skills: null }),
};
const bodies = Object.entries({ ...wrong, 'nothing wrong': right });

async function keyOf(credits: string, keyLimits: KeyLimits = {}): Promise<string> {
  const { accounts } = service.deps;
  const { accountId } = await newTestAccount(accounts, { credits });
  return (await createKey(accounts, { accountId, label: 'test', limits: keyLimits })).key;
}

const elsewhere: KeyLimits = { routes: ['runs'] };
const spent: KeyLimits = { budget: { amountNanoEuro: 0, period: 'day' } };

describe.each(['/v1/chat/completions', '/v1/messages'])('POST %s', (path) => {
  describe.each(bodies)('a request with %s', (_, body) => {
    test.each<[string, number, string, KeyLimits]>([
      ['a key for other routes and no credits', 403, '0', elsewhere],
      ['a key for other models and no credits', 402, '0', { models: ['eyes'] }],
      ['no credits', 402, '0', {}],
      ['credits and a spent budget', 402, '1', spent],
    ])(
      'and %s is refused for its own fault first: %s, counted, without a request to the provider',
      async (_why, status, credits, keyLimits) => {
        const key = await keyOf(credits, keyLimits);
        for (let left = requestsOfWindow - 1; left >= 0; left--) {
          const response = await service.post(body, { key, path });
          expect([response.status, response.headers.get('RateLimit-Remaining')]).toEqual([
            status,
            String(left),
          ]);
          expect(response.headers.get('RateLimit-Limit')).toBe(String(requestsOfWindow));
        }
        for (const other of ['/v1/chat/completions', '/v1/messages', '/v1/messages/count_tokens']) {
          const response = await service.post(body, { key, path: other });
          expect([response.status, response.headers.get('RateLimit-Remaining')]).toEqual([429, '0']);
          expect(response.headers.get('Retry-After')).toBe(response.headers.get('RateLimit-Reset'));
        }
        expect(upstream.requests).toEqual([]);
      },
    );

    test('and an unknown key is refused for the key before anything else', async () => {
      expect((await service.post(body, { key: 'nobody', path })).status).toBe(401);
    });
  });

  test.each(Object.entries(wrong))('%s is refused last, and counted', async (_, body) => {
    const key = await keyOf('1');
    const response = await service.post(body, { key, path });
    expect([response.status, response.headers.get('RateLimit-Remaining')]).toEqual([400, '2']);
    expect(upstream.requests).toEqual([]);
  });
});

test('a refused body reserves no credits', async () => {
  const account = await newTestAccount(service.deps.accounts);
  for (const body of Object.values(wrong)) await service.post(body, { key: account.key });
  const { balanceNanoEuro, availableNanoEuro, holds } = await service.purse(account);
  expect([availableNanoEuro, holds.size]).toEqual([balanceNanoEuro, 0]);
});

/** Sends the head of a request and a part of its body. */
function begin(key: string): {
  answered: Promise<{ status: number | undefined; remaining: unknown }>;
  end(rest?: string): void;
} {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Length': right.length };
  const asked = request(`${service.baseUrl}/v1/chat/completions`, { method: 'POST', headers });
  const {
    promise: answered,
    resolve,
    reject,
  } = Promise.withResolvers<{
    status: number | undefined;
    remaining: unknown;
  }>();
  asked.once('error', reject);
  asked.once('response', ({ statusCode, headers: answer }) =>
    resolve({ status: statusCode, remaining: answer['ratelimit-remaining'] }),
  );
  asked.write(right.slice(0, 5));
  return { answered, end: (rest) => void (rest === undefined ? asked.destroy() : asked.end(rest)) };
}

test('a request over the rate is refused without a write and without its body, once the process knows', async () => {
  const key = await keyOf('1');
  for (let i = 0; i <= requestsOfWindow; i++) await service.post(right, { key });
  const before = service.dynamo.requests();
  const begun = begin(key);
  expect(await begun.answered).toEqual({ status: 429, remaining: '0' });
  begun.end();
  expect(service.dynamo.requests()).toBe(before);
});

describe('a request whose body is slow', () => {
  const slow: (() => void)[] = [];
  beforeEach(() => {
    const { accounts } = service.deps;
    slow.length = 0;
    accounts.clock.startTimer = (milliseconds, end) => {
      if (milliseconds === limits.uncountedMilliseconds) slow.push(end);
      return () => {};
    };
    return () => void delete accounts.clock.startTimer;
  });
  const letTimePass = async () => {
    await vi.waitFor(() => expect(slow).toHaveLength(1), 60_000);
    slow[0]?.();
  };

  test('is refused while it arrives if it is over the rate', async () => {
    const key = await keyOf('1');
    for (let i = 0; i < requestsOfWindow; i++) await service.post(right, { key });
    slow.length = 0;
    const begun = begin(key);
    await letTimePass();
    expect(await begun.answered).toEqual({ status: 429, remaining: '0' });
    begun.end();
  });

  test('is counted once, and pays', async () => {
    const account = await newTestAccount(service.deps.accounts);
    const begun = begin(account.key);
    await letTimePass();
    begun.end(right.slice(5));
    expect(await begun.answered).toEqual({ status: 200, remaining: '2' });
    expect((await service.ledger(account)).filter(({ kind }) => kind === 'completion')).toHaveLength(1);
    expect([...(await service.purse(account)).windows.values()]).toEqual([1]);
  });
});
