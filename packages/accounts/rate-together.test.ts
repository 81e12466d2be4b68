import { nothingYet } from '@errand/money';
import { limits, type Principal } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { countRequest } from './count-request.ts';
import { letIn } from './let-in.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

const counting = () => testAccounts(dynamo, { rateLimitRequests: 60 });

test('simultaneous requests are counted by few updates, and each gets its own number', async () => {
  const deps = counting();
  const [one, other] = [await newTestAccount(deps), await newTestAccount(deps)];
  const before = dynamo.requests();
  const counts = Array.from({ length: 80 }, () => countRequest(deps, one));
  const others = Array.from({ length: 5 }, () => countRequest(deps, other));
  const windows = await Promise.all(counts);
  expect(windows.map(({ remaining }) => remaining).toSorted((a, b) => b - a)).toEqual([
    ...Array.from({ length: 60 }, (_, i) => 59 - i),
    ...Array(20).fill(0),
  ]);
  expect(windows.filter(({ exceeded }) => exceeded)).toHaveLength(20);
  expect((await Promise.all(others)).map(({ remaining }) => remaining)).toEqual([59, 58, 57, 56, 55]);
  expect(dynamo.requests() - before).toBe(2);
});

test('requests one after the other cost an update each and are counted on', async () => {
  const deps = counting();
  const account = await newTestAccount(deps);
  const before = dynamo.requests();
  for (const remaining of [59, 58, 57]) expect((await countRequest(deps, account)).remaining).toBe(remaining);
  expect(dynamo.requests() - before).toBe(3);
});

describe('a key with a rate of its own', () => {
  const limited = async (rate: number, deps = counting()) => {
    const account = await newTestAccount(deps);
    const principal: Principal = { accountId: account.accountId, keyId: 'limited', limits: { rate } };
    return { deps, account, principal };
  };

  test('is held to its rate, and its account’s other keys go on', async () => {
    const { deps, account, principal } = await limited(2);
    expect(await countRequest(deps, principal)).toMatchObject({ limit: 2, remaining: 1 });
    expect(await countRequest(deps, principal)).toMatchObject({ limit: 2, remaining: 0, exceeded: false });
    expect(await countRequest(deps, principal)).toMatchObject({ limit: 2, remaining: 0, exceeded: true });
    expect(await countRequest(deps, account)).toMatchObject({ limit: 60, remaining: 57, exceeded: false });
  });

  test('gets no more than its account has left, and is told the window that has less left', async () => {
    const { deps, account, principal } = await limited(59);
    for (let i = 0; i < 3; i++) await countRequest(deps, account);
    expect(await countRequest(deps, principal)).toMatchObject({ limit: 60, remaining: 56 });
    for (let i = 0; i < 56; i++) await countRequest(deps, account);
    expect(await countRequest(deps, principal)).toMatchObject({ limit: 60, remaining: 0, exceeded: true });
  });

  test('lets no more requests pass at once than its rate, nor than its account’s', async () => {
    const { deps, account, principal } = await limited(20);
    const mine = Array.from({ length: 50 }, () => countRequest(deps, principal));
    const others = Array.from({ length: 50 }, () => countRequest(deps, account));
    const passed = async (windows: Promise<{ exceeded: boolean }>[]) =>
      (await Promise.all(windows)).filter(({ exceeded }) => !exceeded).length;
    expect([await passed(mine), await passed(others)]).toEqual([20, 40]);
  });

  test('that was raised lets requests in again within the same window', async () => {
    const { deps, principal } = await limited(1);
    await countRequest(deps, principal);
    expect((await countRequest(deps, principal)).exceeded).toBe(true);
    const raised = { ...principal, limits: { rate: 3 } };
    expect(await countRequest(deps, raised)).toMatchObject({ limit: 3, remaining: 1, exceeded: false });
  });
});

describe('a window that is full', () => {
  test('refuses a request without a write, once the process knows it, until it has ended', async () => {
    const deps = testAccounts(dynamo, { rateLimitRequests: 2 });
    const account = await newTestAccount(deps);
    for (let i = 0; i < 3; i++) await countRequest(deps, account);
    const before = dynamo.requests();
    expect((await countRequest(deps, account)).exceeded).toBe(true);
    const { refusal, window } = await letIn(deps, account, nothingYet);
    expect([refusal?.code, window.exceeded]).toEqual(['rate_limited', true]);
    expect(dynamo.requests()).toBe(before);
    deps.clock.advance(limits.windowSeconds * 1_000);
    expect(await countRequest(deps, account)).toMatchObject({ remaining: 1, exceeded: false });
  });

  test('does not count the requests that it refuses', async () => {
    const deps = testAccounts(dynamo, { rateLimitRequests: 2 });
    const account = await newTestAccount(deps);
    for (let i = 0; i < 5; i++) await countRequest(deps, account);
    const raised = { ...deps, rateLimitRequests: 4 };
    expect(await countRequest(raised, account)).toMatchObject({ remaining: 1, exceeded: false });
  });
});

test('requests that wait while their window ends are counted in that window, and none fails', async () => {
  const deps = counting();
  const account = await newTestAccount(deps);
  deps.clock.advance(limits.windowSeconds * 1_000 - 1);
  const ending = Array.from({ length: 150 }, () =>
    countRequest({ ...deps, rateLimitRequests: 1_000 }, account),
  );
  deps.clock.advance(1);
  const windows = await Promise.all(ending);
  expect(windows.filter(({ exceeded }) => exceeded)).toEqual([]);
  expect(await countRequest(deps, account)).toMatchObject({ remaining: 59 });
  expect(await countRequest(deps, account)).toMatchObject({ remaining: 58 });
});

test('a clock that goes back over the beginning of a window fails no request', async () => {
  const deps = counting();
  const account = await newTestAccount(deps);
  await countRequest(deps, account);
  deps.clock.advance(limits.windowSeconds * 1_000);
  await countRequest(deps, account);
  deps.clock.advance(-1_000);
  for (let i = 0; i < 3; i++) expect((await countRequest(deps, account)).exceeded).toBe(false);
});
