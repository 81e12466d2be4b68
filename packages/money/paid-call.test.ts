import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { priceWork } from './charge.ts';
import { listAllEntries } from './list-entries.ts';
import { openCall, openRequestCall, partAside, type SetAside } from './paid-call.ts';
import { readCredits } from './read-credits.ts';
import { reserve } from './reserve.ts';
import { costing, holdMilliseconds } from './test-support/calls.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

const price = { inputPerMillionTokens: 1_000 };
/** Of one token. */
const tokenNanoEuro = 1_000_000;

const workOf = (inputTokens: number) =>
  priceWork({ kind: 'decision', model: 'judge', inputTokens, outputTokens: 0, price });
/** An amount in memory, and what became of it. */
function amount(nanoEuro: number) {
  const ended: (number | 'released')[] = [];
  const setAside: SetAside = {
    nanoEuro,
    extend: async () => false,
    async spend(priceNanoEuro) {
      ended.push(priceNanoEuro);
      return { amountNanoEuro: Math.min(priceNanoEuro, nanoEuro) };
    },
    async release() {
      ended.push('released');
    },
  };
  return { setAside, ended };
}

const known = async () => workOf(7);

describe('a call', () => {
  test('that is settled is over, and costs as much of its work as the account can pay', async () => {
    const { setAside, ended } = amount(3 * tokenNanoEuro);
    const call = openCall(setAside, { known });
    call.taking.taken = true;
    expect(await call.settle(workOf(5))).toMatchObject({ inputTokens: 5, amountNanoEuro: 3 * tokenNanoEuro });
    expect(call.isOver).toBe(true);
    expect(await call.known()).toBeUndefined();
    await call.breakOff(true);
    expect(ended).toEqual([5 * tokenNanoEuro]);
  });

  test.each([
    ['that no provider has in work costs nothing', false, true, ['released']],
    ['that failed costs nothing', true, false, ['released']],
    ['that its caller broke off costs what is known of it', true, true, [7 * tokenNanoEuro]],
  ])('%s', async (_, taken, isCharged, became) => {
    const { setAside, ended } = amount(10 * tokenNanoEuro);
    const call = openCall(setAside, { known });
    call.taking.taken = taken;
    await call.breakOff(isCharged);
    expect(ended).toEqual(became);
  });

  test('that is broken off gives back what was set aside if nothing can be found out about it', async () => {
    const { setAside, ended } = amount(10 * tokenNanoEuro);
    const call = openCall(setAside, { known: () => Promise.reject(new Error('no tokenizer')) });
    call.taking.taken = true;
    await expect(call.breakOff(true)).rejects.toThrow('no tokenizer');
    expect(ended).toEqual(['released']);
  });

  test('that is broken off after its answer costs the answer', async () => {
    const { setAside, ended } = amount(10 * tokenNanoEuro);
    const call = openCall(setAside, { known });
    call.learn(async () => workOf(9));
    await call.breakOff(true);
    expect(ended).toEqual([9 * tokenNanoEuro]);
  });
});

describe('a call of a request', () => {
  /** An account with 1 EUR, and a call that may cost 10 tokens. */
  async function open(more: { isShort?: boolean } = {}) {
    const timers: (() => void)[] = [];
    const deps = { ...testAccounts(dynamo), deferCharge: async () => {} };
    deps.clock.startTimer = (_: number, onTime: () => void) => {
      timers.push(onTime);
      return () => {};
    };
    const account = await newTestAccount(deps, { credits: '1' });
    const { payer, reservation } = await reserve(deps, account, costing(10 * tokenNanoEuro));
    const to = { payer, requestId: 'req-1', keyId: account.keyId };
    const asked = { kind: 'completion', model: 'writer', traceparent: undefined } as const;
    const call = openRequestCall(deps, {
      id: `call-${account.keyId}`,
      to,
      reservation,
      known,
      asked,
      ...more,
    });
    call.taking.taken = true;
    const charges = async () => (await listAllEntries(deps, payer)).filter(({ kind }) => kind !== 'credit');
    const purse = () => readCredits(deps, account.accountId);
    return { deps, call, timers, charges, purse };
  }

  test('writes its charge when it is settled, and gives the rest back', async () => {
    const { call, charges, purse } = await open();
    await call.settle(workOf(4));
    expect(await charges()).toMatchObject([
      { kind: 'decision', inputTokens: 4, requestId: 'req-1', amountNanoEuro: -4 * tokenNanoEuro },
    ]);
    expect(await purse()).toMatchObject({ availableNanoEuro: 996_000_000, holds: new Map() });
  });

  test('whose process dies is charged what was known of it at its last renewal', async () => {
    const { deps, call, timers, charges, purse } = await open();
    timers[0]?.();
    await call.extend(0);
    deps.clock.advance(holdMilliseconds);
    expect(await purse()).toMatchObject({ availableNanoEuro: 993_000_000 });
    expect(await charges()).toMatchObject([{ inputTokens: 7, brokenOff: true }]);
  });

  test('that ends sooner than its reservation is never renewed', async () => {
    const { call, timers, charges } = await open({ isShort: true });
    expect(timers).toEqual([]);
    await call.breakOff(true);
    expect(await charges()).toMatchObject([{ inputTokens: 7, brokenOff: true }]);
  });

  test('that costs nothing gives everything back', async () => {
    const { call, charges, purse } = await open();
    await call.release();
    expect(await purse()).toMatchObject({ availableNanoEuro: 1_000_000_000 });
    expect(await charges()).toEqual([]);
  });
});

test('that spends a part of a reservation for several calls gets a reservation of its own', async () => {
  const deps = testAccounts(dynamo);
  const account = await newTestAccount(deps, { credits: '1' });
  const { reservation } = await reserve(deps, account, costing(10 * tokenNanoEuro));
  const part = partAside(deps, reservation, 6 * tokenNanoEuro, {});
  expect((await readCredits(deps, account.accountId)).holds.size).toBe(1);
  const { reservation: own, amountNanoEuro } = await part.spend(2 * tokenNanoEuro);
  expect([own?.nanoEuro, reservation?.nanoEuro, amountNanoEuro]).toEqual(
    [6, 4, 2].map((tokens) => tokens * tokenNanoEuro),
  );
  expect((await readCredits(deps, account.accountId)).holds.size).toBe(2);
});
