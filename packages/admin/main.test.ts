import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { authenticate } from '@errand/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';

let dynamo: TestDynamo;
let dataDir: string;

beforeAll(async () => {
  dynamo = await startTestDynamo();
  dataDir = await mkdtemp(path.join(tmpdir(), 'errand-admin-'));
  const service = { pid: process.pid, endpoints: { dynamodb: dynamo.endpoint, s3: dynamo.endpoint } };
  await writeFile(path.join(dataDir, 'service.json'), JSON.stringify(service));
});

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
  await dynamo.close();
});

interface Done {
  status: number;
  stdout: string;
  stderr: string;
}

const main = path.join(import.meta.dirname, 'main.ts');

function admin(line: string[]): Promise<Done> {
  const { NODE_COMPILE_CACHE } = process.env;
  const env = { NODE_COMPILE_CACHE, DATA_DIR: dataDir };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...line], { env }, (error, stdout, stderr) => {
      const status = error === null ? 0 : Number(error.code);
      resolve({ status, stdout, stderr });
    });
  });
}

async function adminJson<T>(...line: string[]): Promise<T> {
  const { status, stdout, stderr } = await admin([...line, '--json']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

describe('commands on the running local service', () => {
  test('an account, its key and its credits, from creation to revocation', async () => {
    type Account = { accountId: string; balance: string };
    const account = await adminJson<Account>('account', 'create', '--name', 'Ada', '--credits', '5.00');
    expect(account).toEqual({ accountId: account.accountId, balance: '5' });
    const { accountId } = account;

    type Key = { keyId: string; key: string };
    const key = await adminJson<Key>('key', 'create', '--account', accountId, '--label', 'laptop');
    expect(Object.keys(key).sort()).toEqual(['key', 'keyId', 'label']);
    const deps = testAccounts(dynamo);
    expect(await authenticate(deps, `Bearer ${key.key}`)).toEqual({ keyId: key.keyId, accountId });

    const taken = await adminJson('credits', 'add', '--account', accountId, '--amount', '-1.5');
    expect(taken).toEqual({ accountId, balance: '3.5' });

    type Credits = { balance: string; entries: { kind: string; amount: string; at: string }[] };
    const credits = await adminJson<Credits>('credits', 'show', '--account', accountId);
    expect(credits.balance).toBe('3.5');
    expect(credits.entries.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['credit', '-1.5'],
      ['credit', '5'],
    ]);

    const revoked = await adminJson<{ keyId: string; revokedAt: string }>('key', 'revoke', key.keyId);
    expect(revoked.keyId).toBe(key.keyId);
    deps.clock.advance(10_000);
    await expect(authenticate(deps, `Bearer ${key.key}`)).rejects.toMatchObject({ code: 'unauthorized' });
    const { keys } = await adminJson<{ keys: object[] }>('key', 'list', '--account', accountId);
    expect(keys).toMatchObject([{ keyId: key.keyId, label: 'laptop', revokedAt: revoked.revokedAt }]);
  });

  test('an organisation, its subscription and its account', async () => {
    type Organisation = { organisationId: string };
    const { organisationId } = await adminJson<Organisation>('organisation', 'create', '--name', 'O');
    const updated = await adminJson('organisation', 'update', organisationId, '--subscription', 'true');
    expect(updated).toEqual({ organisationId, subscription: true });
    const created = ['account', 'create', '--name', 'Member', '--organisation', organisationId];
    expect(await adminJson(...created)).toMatchObject({ balance: '0' });
    expect(await adminJson('credits', 'show', '--organisation', organisationId)).toEqual({
      balance: '0',
      entries: [],
    });
  });

  test('without --json a person reads a few lines', async () => {
    const done = await admin(['account', 'create', '--name', 'Ada', '--credits', '0.25']);
    expect(done).toMatchObject({ status: 0, stderr: '' });
    expect(done.stdout).toMatch(/^Account account_\w+, balance 0\.25 EUR\n$/);
  });

  test('a refused command prints its reason on stderr and nothing on stdout; its exit status is 1', async () => {
    const done = await admin(['credits', 'show', '--account', 'account_none', '--json']);
    expect(done).toEqual({ status: 1, stdout: '', stderr: 'There is no account account_none.\n' });
  });

  test('an invalid command line prints a usage line on stderr; its exit status is 2', async () => {
    const done = await admin(['key', 'create', '--json']);
    expect(done.status).toBe(2);
    expect(done.stdout).toBe('');
    expect(done.stderr).toContain('usage: npm run -s admin -- key create --account A [--label L]');
  });
});
