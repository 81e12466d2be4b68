import { type KeyLimits, limits, type Principal } from '@errand/platform';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { authenticate } from './authenticate.ts';
import { createKey } from './create-key.ts';
import { hashKey } from './key.ts';
import { keyCacheOf } from './key-cache.ts';
import { checkModel, checkModels, checkRoute } from './key-limits.ts';
import { listKeys } from './list-keys.ts';
import { changeLimits, updateKey } from './update-key.ts';
import { readKeyEnd, requireKeyStill, watchKey } from './watch-key.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

const all: KeyLimits = {
  expiresAt: '2027-01-01T00:00:00.000Z',
  budget: { amountNanoEuro: 5_000_000_000, period: 'day' },
  models: ['writer', 'seer'],
  routes: ['chat', 'runs'],
  rate: 100,
  isOperator: true,
};

/** A key of a new account. `expiresIn` counts from now. */
async function limitedKey(keyLimits: KeyLimits = {}, expiresIn?: number) {
  const deps = testAccounts(dynamo);
  const { accountId } = await newTestAccount(deps);
  const expiresAt =
    expiresIn === undefined ? {} : { expiresAt: new Date(deps.clock() + expiresIn).toISOString() };
  const made = await createKey(deps, { accountId, label: 'limited', limits: { ...keyLimits, ...expiresAt } });
  const listed = async () => (await listKeys(deps, accountId)).find(({ keyId }) => keyId === made.keyId);
  const pass = () => authenticate(deps, `Bearer ${made.key}`);
  return { deps, accountId, ...made, listed, pass };
}

const unauthorized = { code: 'unauthorized' };

test('a key comes with its limits, and is listed with them', async () => {
  const { keyId, accountId, pass, listed } = await limitedKey(all);
  expect(await pass()).toEqual({ keyId, accountId, limits: all });
  expect(await listed()).toMatchObject({ keyId, limits: all });
});

/** The names of the fields that a caller sees: JSON leaves out what is undefined. */
const namesOf = (shown: object = {}) => Object.keys(JSON.parse(JSON.stringify(shown)));

test('a key without limits says nothing of them, as keys of earlier releases do not', async () => {
  const { pass, listed } = await limitedKey();
  expect(namesOf(await pass())).toEqual(['keyId', 'accountId']);
  expect(namesOf(await listed())).toEqual(['keyId', 'label', 'createdAt']);
});

describe('a key that expires', () => {
  test('works until the instant of its expiry but not at it, also if it was read a moment before', async () => {
    const { deps, pass } = await limitedKey({}, 1_000);
    await pass();
    deps.clock.advance(999);
    const before = dynamo.requests();
    await pass();
    expect(dynamo.requests()).toBe(before);
    deps.clock.advance(1);
    await expect(pass()).rejects.toMatchObject(unauthorized);
  });

  test('has its work ended as expired, while its account’s other keys go on', async () => {
    const { deps, accountId, keyId } = await limitedKey({}, 1_000);
    const other = await createKey(deps, { accountId, label: 'other' });
    expect(await readKeyEnd(deps, { accountId, keyId })).toBeUndefined();
    await requireKeyStill(deps, { accountId, keyId });
    deps.clock.advance(1_000);
    expect(await readKeyEnd(deps, { accountId, keyId })).toBe('expired');
    await expect(requireKeyStill(deps, { accountId, keyId })).rejects.toMatchObject(unauthorized);
    expect(await readKeyEnd(deps, { accountId, keyId: other.keyId })).toBeUndefined();
  });

  test('is noticed by the next check of its watch', async () => {
    const { deps, accountId, keyId } = await limitedKey({}, 1_000);
    const checks: (() => void)[] = [];
    deps.clock.startTimer = (_: number, end: () => void) => {
      checks.push(end);
      return () => {};
    };
    const ended = new Promise((resolve) => watchKey(deps, { accountId, keyId }, resolve));
    deps.clock.advance(1_000);
    checks[0]?.();
    expect(await ended).toBe('expired');
  });

  test('works again once its expiry is postponed, and for good once its expiry is removed', async () => {
    const { deps, keyId, pass } = await limitedKey({}, 1_000);
    deps.clock.advance(1_000);
    await expect(pass()).rejects.toMatchObject(unauthorized);
    await updateKey(deps, keyId, { expiresAt: new Date(deps.clock() + 1_000).toISOString() });
    await pass();
    deps.clock.advance(1_000);
    await expect(pass()).rejects.toMatchObject(unauthorized);
    await updateKey(deps, keyId, { expiresAt: null });
    expect((await pass()).limits).toBeUndefined();
  });
});

describe('a key that is changed', () => {
  test('has its new limits at once in this process, and within the cache’s time in others', async () => {
    const { deps, key, keyId, pass } = await limitedKey({ routes: ['chat'] });
    const before = await pass();
    await updateKey(deps, keyId, { routes: ['runs'] });
    expect((await pass()).limits).toEqual({ routes: ['runs'] });
    // Another process still has the key in its cache.
    keyCacheOf(deps).set(hashKey(key), before, deps.clock());
    expect((await pass()).limits).toEqual({ routes: ['chat'] });
    deps.clock.advance(limits.keyCacheMilliseconds);
    expect((await pass()).limits).toEqual({ routes: ['runs'] });
  });

  test('keeps limits that are not named, and loses limits that are removed, in both of its copies', async () => {
    const { deps, keyId, pass, listed } = await limitedKey(all);
    const changed = await updateKey(deps, keyId, { models: null, rate: 7, isOperator: null });
    const { models: _, isOperator: __, ...rest } = all;
    const after = { ...rest, rate: 7 };
    expect(changed).toMatchObject({ keyId, label: 'limited', limits: after });
    expect((await pass()).limits).toEqual(after);
    expect(await listed()).toEqual(changed);
  });

  test('keeps both of two simultaneous changes', async () => {
    const { deps, keyId, pass } = await limitedKey();
    await Promise.all([
      updateKey(deps, keyId, { rate: 5 }),
      updateKey(deps, keyId, { routes: ['chat'] }),
      updateKey(deps, keyId, { models: ['writer'] }),
      updateKey(deps, keyId, { budget: { amountNanoEuro: 1 } }),
    ]);
    expect((await pass()).limits).toEqual({
      rate: 5,
      routes: ['chat'],
      models: ['writer'],
      budget: { amountNanoEuro: 1, period: 'total' },
    });
  });

  test('that does not exist is not found', async () => {
    await expect(updateKey(testAccounts(dynamo), 'key_none', { rate: 5 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

test('a budget without a period keeps its present period; a new budget is for all time', () => {
  const changed = changeLimits(
    { budget: { amountNanoEuro: 1, period: 'week' } },
    { budget: { amountNanoEuro: 2 } },
  );
  expect(changed).toEqual({ budget: { amountNanoEuro: 2, period: 'week' } });
  expect(changeLimits({}, { budget: { amountNanoEuro: 2 } })).toEqual({
    budget: { amountNanoEuro: 2, period: 'total' },
  });
});

const principal = (keyLimits?: KeyLimits): Principal => ({
  keyId: 'key_1',
  accountId: 'account_1',
  limits: keyLimits,
});

test('a key without limits may use every route and model', () => {
  for (const unlimited of [principal(), principal({ rate: 5 })]) {
    checkRoute(unlimited, 'skills');
    checkModels(unlimited, ['writer', 'seer']);
  }
});

test('a key may use the routes and models that it names, and no others', () => {
  const names = ['writer', 'seer', 'constructor', ''];
  fc.assert(
    fc.property(fc.subarray(names), fc.constantFrom(...names), (models, model) => {
      const check = () => checkModel(principal({ models }), model);
      if (models.includes(model)) check();
      else expect(check).toThrow('model_forbidden');
    }),
  );
  expect(() => checkRoute(principal({ routes: ['chat'] }), 'runs')).toThrow('route_forbidden');
  expect(() => checkRoute(principal({ routes: [] }), 'chat')).toThrow('route_forbidden');
  expect(() => checkModels(principal({ models: ['writer'] }), ['writer', 'seer'])).toThrow('model_forbidden');
});

test('a key for the base may use its variant too; a key for the variant may not use the base', () => {
  const variant = 'writer-compressed';
  checkModel(principal({ models: ['writer'] }), variant, 'writer');
  checkModel(principal({ models: [variant] }), variant, 'writer');
  expect(() => checkModel(principal({ models: [variant] }), 'writer')).toThrow('model_forbidden');
});
