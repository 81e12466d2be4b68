import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { authenticate, listKeys, revokeKey } from '@errand/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { firstKey } from './first-key.ts';
import { StartError } from './start-error.ts';

let dynamo: TestDynamo;
let folder: string;

beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'errand-first-key-'));
  return () => rm(folder, { recursive: true });
});

test('the first key is the same at every start', async () => {
  const deps = testAccounts(dynamo);
  const first = await firstKey(folder, deps);
  expect(await firstKey(folder, deps)).toEqual(first);
});

test('a revoked first key is followed by another key of the same account', async () => {
  const first = await firstKey(folder, testAccounts(dynamo));
  const [key] = await listKeys(testAccounts(dynamo), first.accountId);
  await revokeKey(testAccounts(dynamo), key?.keyId ?? '');
  const deps = testAccounts(dynamo);
  const next = await firstKey(folder, { ...deps, clock: () => deps.clock() + 60_000 });
  expect(next.accountId).toBe(first.accountId);
  expect(next.apiKey).not.toBe(first.apiKey);
  expect((await authenticate(deps, `Bearer ${next.apiKey}`)).accountId).toBe(first.accountId);
});

test('a first key that the database does not know is followed by a new account', async () => {
  const first = await firstKey(folder, testAccounts(dynamo));
  const other = await startTestDynamo();
  const next = await firstKey(folder, testAccounts(other));
  expect(next.accountId).not.toBe(first.accountId);
  expect((await authenticate(testAccounts(other), `Bearer ${next.apiKey}`)).accountId).toBe(next.accountId);
  await other.close();
});

test('a damaged file is a clear error', async () => {
  await writeFile(path.join(folder, 'first-key.json'), '{"apiKey":');
  await expect(firstKey(folder, testAccounts(dynamo))).rejects.toThrow(StartError);
});
