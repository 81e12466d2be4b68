import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ErrandUser, newUser } from '../client/support/errand-process.ts';
import { heldClock } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;
useService(
  (started) => ({ provider, service } = started),
  // No day ends.
  () => ({ clock: heldClock(new Date().toISOString()) }),
);

interface Asked {
  key: string;
  accountId: string;
}
let completion: Asked;
let message: Asked;
let users: ErrandUser[];

const asks = { model: 'writer', max_tokens: 50, messages: [{ role: 'user', content: 'Say hello' }] };

beforeAll(async () => {
  [completion, message] = [await service.newAccount(), await service.newAccount()];
  for (const [{ key }, path] of [
    [completion, '/v1/chat/completions'],
    [message, '/v1/messages'],
  ] as const)
    for (const stream of [false, true]) {
      provider.script(inTurn({ text: 'Hello', finish: 'stop' }));
      const response = await service.post(path, { ...asks, stream }, { key });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Hello')]);
    }
  users = await Promise.all(
    [completion, message].map(({ key }) =>
      newUser({ ERRAND_BASE_URL: service.baseUrl, ERRAND_API_KEY: key, NO_COLOR: '1' }),
    ),
  );
});
afterAll(() => Promise.all(users.map((user) => user.leave())));

const read = async (path: string, { key }: Asked): Promise<Record<string, unknown>> =>
  (await service.request(path, { key })).json() as Promise<Record<string, unknown>>;

test('reports of usage and the ledger have a message as they have a completion', async () => {
  const path = '/v1/usage?groupBy=day,model,kind';
  const rows = async (asked: Asked) => {
    const { rows: told } = (await read(path, asked)) as { rows: Record<string, unknown>[] };
    // The energy follows from the time that each answer took.
    return told.map(({ energy: _, emissions: __, ...row }): Record<string, unknown> => row);
  };
  for (const asked of [completion, message])
    await eventually(async () => (await rows(asked))[0]?.requests).toBe(2);
  const [told] = await rows(message);
  expect(told).toMatchObject({ model: 'writer', kind: 'completion' });
  expect(await rows(message)).toEqual(await rows(completion));
  const entries = async (asked: Asked) => {
    const page = (await read('/v1/credits/entries', asked)) as { entries: Record<string, unknown>[] };
    return page.entries
      .filter(({ kind }) => kind === 'completion')
      .map(({ kind, model, amount, inputTokens, outputTokens }) => ({
        ...{ kind, model, amount, inputTokens, outputTokens },
      }));
  };
  expect(await entries(message)).toHaveLength(2);
  expect(await entries(message)).toEqual(await entries(completion));
});

test('`errand usage` shows a message as it shows a completion', async () => {
  const [ofCompletion, ofMessage] = await Promise.all(
    users.map((user) => user.errand(['usage', '--group-by', 'model,kind'])),
  );
  expect(ofMessage).toMatchObject({ code: 0, stdout: expect.stringContaining('completion') });
  expect(ofMessage).toEqual(ofCompletion);
});
