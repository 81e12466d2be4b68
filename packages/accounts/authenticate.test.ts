import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { authenticate } from './authenticate.ts';
import { hashKey, newApiKey } from './key.ts';
import { keyCacheOf } from './key-cache.ts';
import { listKeys } from './list-keys.ts';
import { revokeKey } from './revoke-key.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

test('a known key gives its account, and its organisation if it has one', async () => {
  const deps = testAccounts(dynamo);
  const alone = await newTestAccount(deps);
  const member = await newTestAccount(deps, { subscription: true });
  expect(await authenticate(deps, `Bearer ${alone.key}`)).toEqual({
    keyId: alone.keyId,
    accountId: alone.accountId,
  });
  expect(await authenticate(deps, `Bearer ${member.key}`)).toEqual({
    keyId: member.keyId,
    accountId: member.accountId,
    organisationId: member.organisationId,
  });
});

test('the scheme is accepted in any case', async () => {
  const deps = testAccounts(dynamo);
  const { key, keyId } = await newTestAccount(deps);
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    expect(await authenticate(deps, `${scheme} ${key}`)).toMatchObject({ keyId });
});

test('text that cannot be a key is refused without a request', async () => {
  const deps = testAccounts(dynamo);
  const { key } = await newTestAccount(deps);
  const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  const before = dynamo.requests();
  const headers = [undefined, '', 'Bearer', 'Bearer ', key, `Basic ${key}`, `Bearer ${mistyped}`];
  for (const header of [...headers, `Bearer ${key} ${key}`, 'Bearer errand_x'])
    await expect(authenticate(deps, header)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(dynamo.requests()).toBe(before);
});

test('a key is taken bare beside the bearer: the first that has the form of one counts', async () => {
  const deps = testAccounts(dynamo);
  const { key, keyId } = await newTestAccount(deps);
  const second = await newTestAccount(deps);
  for (const header of [undefined, '', 'Bearer sk-ant-1', 'Bearer', `Bearer ${key}`])
    expect(await authenticate(deps, header, key)).toMatchObject({ keyId });
  expect(await authenticate(deps, `Bearer ${key}`, 'sk-ant-1')).toMatchObject({ keyId });
  expect(await authenticate(deps, `Bearer ${key}`, second.key)).toMatchObject({ keyId });
  const before = dynamo.requests();
  for (const bare of [undefined, '', 'sk-ant-1', `Bearer ${key}`, `${key}, ${key}`, `${key} `])
    await expect(authenticate(deps, 'Bearer sk-ant-1', bare)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(dynamo.requests()).toBe(before);
  // A key that is not known is not a reason to try the other.
  await expect(authenticate(deps, `Bearer ${newApiKey()}`, key)).rejects.toMatchObject({
    code: 'unauthorized',
  });
});

test('an unknown well-formed key is refused, and looked up again each time', async () => {
  const deps = testAccounts(dynamo);
  const header = `Bearer ${newApiKey()}`;
  const before = dynamo.requests();
  await expect(authenticate(deps, header)).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(authenticate(deps, header)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(dynamo.requests()).toBe(before + 2);
});

test("a known key is read once within the cache's time", async () => {
  const deps = testAccounts(dynamo);
  const { key } = await newTestAccount(deps);
  const before = dynamo.requests();
  await authenticate(deps, `Bearer ${key}`);
  deps.clock.advance(limits.keyCacheMilliseconds - 1);
  await authenticate(deps, `Bearer ${key}`);
  expect(dynamo.requests()).toBe(before + 1);
  deps.clock.advance(1);
  await authenticate(deps, `Bearer ${key}`);
  expect(dynamo.requests()).toBe(before + 2);
});

test("a revoked key is refused at once by the process that revoked it, and by others within the cache's time", async () => {
  const deps = testAccounts(dynamo);
  const { key, keyId } = await newTestAccount(deps);
  const principal = await authenticate(deps, `Bearer ${key}`);
  await revokeKey(deps, keyId);
  await expect(authenticate(deps, `Bearer ${key}`)).rejects.toMatchObject({ code: 'unauthorized' });

  // Another process still has the key in its cache.
  keyCacheOf(deps).set(hashKey(key), principal, deps.clock());
  expect(await authenticate(deps, `Bearer ${key}`)).toEqual(principal);
  deps.clock.advance(limits.keyCacheMilliseconds);
  await expect(authenticate(deps, `Bearer ${key}`)).rejects.toMatchObject({ code: 'unauthorized' });
});

test('a key revoked twice keeps its first time of revocation, and stays listed', async () => {
  const deps = testAccounts(dynamo);
  const { accountId, keyId } = await newTestAccount(deps);
  const first = await revokeKey(deps, keyId);
  deps.clock.advance(60_000);
  expect(await revokeKey(deps, keyId)).toEqual(first);
  expect(await listKeys(deps, accountId)).toEqual([
    { keyId, label: 'test', createdAt: '2026-11-21T10:00:00.000Z', revokedAt: first.revokedAt },
  ]);
});

test('the text of a key is nowhere in the store', async () => {
  const deps = testAccounts(dynamo);
  const { key } = await newTestAccount(deps);
  const { Items: items } = await dynamo.dynamodb.send(new ScanCommand({ TableName: deps.tables.accounts }));
  expect(items?.length).toBeGreaterThan(3);
  expect(JSON.stringify(items)).not.toContain(key.slice('errand_'.length, -6));
});
