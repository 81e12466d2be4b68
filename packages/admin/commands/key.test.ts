import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { authenticate, createAccount, createOrganisation, freezeAccount } from '@errand/accounts';
import { readConfig } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { run } from '../run.ts';

let dynamo: TestDynamo;
let folder: string;
beforeAll(async () => {
  dynamo = await startTestDynamo();
  folder = await mkdtemp(path.join(tmpdir(), 'errand-admin-keys-'));
  const service = { pid: process.pid, endpoints: { dynamodb: dynamo.endpoint, s3: dynamo.endpoint } };
  await writeFile(path.join(folder, 'service.json'), JSON.stringify(service));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await dynamo.close();
});

const accounts = () => testAccounts(dynamo);

async function admin(...line: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
  const status = await run(line, terminal, () => readConfig('local', { DATA_DIR: folder }));
  return { status, out: out.join('\n'), err: err.join('\n') };
}

async function json<T = Record<string, unknown>>(...line: string[]): Promise<T> {
  const done = await admin(...line, '--json');
  expect(done).toMatchObject({ status: 0, err: '' });
  return JSON.parse(done.out);
}

const limitOptions =
  '--expires 2027-01-01 --budget 5.00 --period day --models writer,eyes --agents default,mail-triage --routes chat,runs --rate 100';

/** The limits of `limitOptions` as they are answered. */
const answered = {
  expires: '2027-01-01T00:00:00.000Z',
  budget: '5',
  period: 'day',
  models: ['writer', 'eyes'],
  agents: ['default', 'mail-triage'],
  routes: ['chat', 'runs'],
  rate: 100,
};

async function newKey(options = limitOptions): Promise<{ accountId: string; keyId: string; key: string }> {
  const { accountId } = await newTestAccount(accounts());
  const line = ['key', 'create', '--account', accountId, '--label', 'team', ...options.split(' ')];
  return { accountId, ...(await json<{ keyId: string; key: string }>(...line.filter(Boolean))) };
}

test('a key is created with its limits, which its answer, its list and its requests say', async () => {
  const { accountId, keyId, key, ...rest } = await newKey(`${limitOptions} --operator`);
  expect(rest).toEqual({ label: 'team', ...answered, operator: true });
  const { keys } = await json<{ keys: { keyId: string }[] }>('key', 'list', '--account', accountId);
  expect(keys.find((one) => one.keyId === keyId)).toMatchObject({ ...answered, operator: true });
  expect((await authenticate(accounts(), `Bearer ${key}`)).limits).toEqual({
    expiresAt: answered.expires,
    budget: { amountNanoEuro: 5_000_000_000, period: 'day' },
    models: answered.models,
    agents: answered.agents,
    routes: answered.routes,
    rate: 100,
    isOperator: true,
  });
});

test('a key that is updated keeps what is not named, and answers with all that it has', async () => {
  const { keyId } = await newKey();
  const update = (...line: string[]) => json('key', 'update', keyId, ...line);
  expect(await update('--rate', '7')).toMatchObject({ keyId, label: 'team', ...answered, rate: 7 });
  expect(await update('--budget', '6')).toMatchObject({ budget: '6', period: 'day' });
  expect(await update('--budget', '7', '--period', 'month')).toMatchObject({ budget: '7', period: 'month' });
  expect(await update('--operator', 'true')).toMatchObject({ operator: true });
  expect(await update('--operator', 'false')).not.toHaveProperty('operator');
});

test.each(['none', ''])('a limit is taken away by %j', async (nothing) => {
  const { keyId, key, accountId } = await newKey();
  const names = ['expires', 'budget', 'models', 'agents', 'routes', 'rate', 'operator'];
  const line = names.flatMap((name) => [`--${name}`, nothing]);
  const updated = await json('key', 'update', keyId, ...line);
  expect(Object.keys(updated)).toEqual(['keyId', 'label', 'createdAt']);
  expect(await authenticate(accounts(), `Bearer ${key}`)).toEqual({ keyId, accountId });
});

test('a budget without a period is for all time', async () => {
  expect(await newKey('--budget 0.5')).toMatchObject({ budget: '0.5', period: 'total' });
});

test.each([
  ['2027-01-01', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01T12:30', '2027-01-01T12:30:00.000Z'],
  ['2027-01-01T12:30:15.5Z', '2027-01-01T12:30:15.500Z'],
  ['2027-01-01T00:30+01:00', '2026-12-31T23:30:00.000Z'],
])('--expires %s is %s', async (given, expires) => {
  expect(await newKey(`--expires ${given}`)).toMatchObject({ expires });
});

test.each([
  ['--expires 2027-02-30', '--expires must be a date'],
  ['--expires tomorrow', '--expires must be a date'],
  ['--expires 2027-01-01T25:00', '--expires must be a date'],
  ['--budget -1', '--budget must be an amount of EUR'],
  ['--budget 1 --period year', '--period must be of day, week, month, total'],
  ['--models a,,b', '--models must be words between commas'],
  ['--models a,b%c', '--models: "b%c" cannot be the id of a model'],
  ['--agents a,b@3', '--agents: "b@3" cannot be the name of an agent'],
  ['--routes chat,values', '--routes must be of chat, runs, decisions, skills'],
  ['--rate 0', '--rate must be a whole number'],
])('%s is refused, and nothing is created or changed', async (options, reason) => {
  const { accountId, keyId } = await newKey('');
  for (const line of [
    ['key', 'create', '--account', accountId],
    ['key', 'update', keyId],
  ]) {
    const done = await admin(...line, ...options.split(' '));
    expect(done).toMatchObject({ status: 1, out: '' });
    expect(done.err).toContain(reason);
  }
  const { keys } = await json<{ keys: object[] }>('key', 'list', '--account', accountId);
  expect(keys.map((key) => Object.keys(key))).toEqual(Array(2).fill(['keyId', 'label', 'createdAt']));
});

test('an unknown key, and a key with nothing to change, are refused', async () => {
  expect(await admin('key', 'update', 'key_none', '--rate', '5')).toMatchObject({
    status: 1,
    err: 'There is no key key_none.',
  });
  expect((await admin('key', 'update', 'key_none')).status).toBe(2);
});

test('people read the limits of a key in its line', async () => {
  const { keyId } = await newKey();
  const done = await admin('key', 'update', keyId, '--operator', 'true');
  expect(done.out).toContain(
    'expires 2027-01-01T00:00:00.000Z  budget 5 EUR day  models writer,eyes  agents default,mail-triage  routes chat,runs  rate 100  operator  team',
  );
});

test('every account is listed once, with its balance, its organisation and whether it is frozen', async () => {
  const deps = accounts();
  const { organisationId } = await createOrganisation(deps, { name: 'Org', subscription: true });
  const made: string[] = [];
  for (let i = 0; i < 105; i++) {
    deps.clock.advance(1_000);
    const input = { name: `Account ${i}`, creditsNanoEuro: i, ...(i === 1 && { organisationId }) };
    made.push((await createAccount(deps, input)).accountId);
  }
  await freezeAccount(deps, made[2] ?? '');
  const { accounts: listed } = await json<{ accounts: { accountId: string }[] }>('account', 'list');
  const ours = listed.filter(({ accountId }) => made.includes(accountId));
  expect(ours.map(({ accountId }) => accountId)).toEqual(made);
  const createdAt = expect.stringMatching(/^2026-/);
  expect(ours.slice(0, 3)).toEqual([
    { accountId: made[0], name: 'Account 0', balance: '0', frozen: false, createdAt },
    {
      accountId: made[1],
      name: 'Account 1',
      organisationId,
      balance: '0.000000001',
      frozen: false,
      createdAt,
    },
    { accountId: made[2], name: 'Account 2', balance: '0.000000002', frozen: true, createdAt },
  ]);
  expect((await admin('account', 'list')).out).toContain('balance 0.000000002 EUR  frozen  Account 2');
});

test('an organisation has a ceiling until it is taken away, and is listed with it', async () => {
  const { organisationId } = await json('organisation', 'create', '--name', 'Bounded');
  const id = String(organisationId);
  const update = (...line: string[]) => json('organisation', 'update', id, ...line);
  const listed = async () => {
    const { organisations } = await json<{ organisations: object[] }>('organisation', 'list');
    return organisations.find((one) => 'organisationId' in one && one.organisationId === id);
  };
  expect(await update('--ceiling', '100.00')).toEqual({
    organisationId,
    subscription: false,
    ceiling: '100',
  });
  const both = { organisationId, subscription: true, ceiling: '100' };
  expect(await update('--subscription', 'true')).toEqual(both);
  expect(await listed()).toEqual({ ...both, name: 'Bounded', createdAt: expect.any(String) });
  expect((await admin('organisation', 'list')).out).toContain(
    'with subscription  ceiling 100 EUR per month  Bounded',
  );
  expect(await update('--ceiling', 'none')).toEqual({ organisationId, subscription: true });
  expect(await listed()).not.toHaveProperty('ceiling');
  expect((await admin('organisation', 'update', id, '--ceiling', '-1')).err).toContain(
    '--ceiling must be an amount of EUR',
  );
});
