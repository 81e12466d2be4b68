import { readAccountPurse, whenSettled } from '@errand/money';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newTestAccount } from '../support/accounts.ts';
import { sendJson } from '../support/local-server.ts';
import { type DecisionService, simpleBody, startDecisionService } from './support/decision-service.ts';
import { answersFor } from './support/upstream.ts';

let service: DecisionService;
beforeAll(async () => {
  service = await startDecisionService();
});
afterAll(() => service.close());

/** In nano-euro, of a token of input. */
const price = 100;
const questions = { late: { type: 'noul' } };
/** A case of about 2,000 tokens. */
const long = { ...simpleBody, state: ' hello'.repeat(2_000), questions };
const longTokens = 2_100;

const accountWith = (nanoEuro: number) =>
  newTestAccount(service.deps.accounts, { credits: (nanoEuro / 1e9).toFixed(9) });

async function balanceOf({ accountId }: { accountId: string }): Promise<number> {
  await whenSettled(service.deps.accounts);
  const purse = await readAccountPurse(service.deps.accounts, accountId);
  expect([purse.availableNanoEuro, purse.holds.size]).toEqual([purse.balanceNanoEuro, 0]);
  return purse.balanceNanoEuro;
}

/** A model that reads this many tokens. */
const reads = (inputTokens: number) =>
  service.upstream.reply(({ body }, response) =>
    sendJson(response, 200, { ...answersFor(body), usage: { input_tokens: inputTokens } }),
  );

it('400 decisions at once that each cost more than a quarter of the balance never bring it below zero', async () => {
  reads(longTokens);
  const account = await accountWith(4 * longTokens * price - 1);
  const asked = service.upstream.requests.length;
  const answers = Array.from({ length: 400 }, async () => (await service.post(long, account)).status);
  const statuses = await Promise.all(answers);
  expect(new Set(statuses)).toEqual(new Set([200, 402]));
  expect(service.upstream.requests.length - asked).toBe(statuses.filter((status) => status === 200).length);
  expect(await balanceOf(account)).toBeGreaterThanOrEqual(0);
});

it('a decision whose input the credits do not pay is refused, and the model is not asked', async () => {
  reads(longTokens);
  const account = await accountWith(longTokens * price);
  const asked = service.upstream.requests.length;
  expect((await service.post(long, account)).status).toBe(402);
  expect(service.upstream.requests.length).toBe(asked);
  expect(await balanceOf(account)).toBe(longTokens * price);
});

it('a decision that fails gives back what was set aside for it', async () => {
  service.upstream.reply((_, response) => sendJson(response, 503, {}));
  const account = await accountWith(10_000_000);
  expect((await service.post(long, account)).status).toBe(503);
  expect(await balanceOf(account)).toBe(10_000_000);
});
