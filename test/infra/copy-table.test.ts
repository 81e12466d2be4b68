import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DescribeTableCommand, TagResourceCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  authenticate,
  createAccount,
  createKey,
  createOrganisation,
  freezeAccount,
  listKeys,
  listOrganisations,
  revokeKey,
  updateKey,
  updateOrganisation,
} from '@errand/accounts';
import { run } from '@errand/admin/testing';
import {
  addCredits,
  applyCharge,
  checkBalances,
  checkRollUps,
  itemKeys,
  readAccountPurse,
  readCredits,
  reportUsage,
  reserve,
} from '@errand/money';
import { readConfig, servingTag, tableDefinitions, toIso } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { copyTable, makeBooks } from '../../scripts/copy-table.ts';
import { accountsRule } from '../../scripts/copying/accounts-rule.ts';
import { copyItems, missingOnly } from '../../scripts/copying/copy-items.ts';
import { anotherProcess, newTestAccount, testAccounts } from '../support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';
import { kinds } from '../versions/kinds.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

const put = (TableName: string, Item: object) =>
  dynamo.dynamodb.send(new PutCommand({ TableName, Item: { sk: 'x', ...Item } }));

test('a table gets what it lacks of a restored one, over several pages, and keeps what it has', async () => {
  const { dynamodb, tables } = dynamo;
  const [from, to] = [tables.runs, tables.values];
  // A scan answers at most 1 MB a page.
  for (let i = 0; i < 40; i++) await put(from, { pk: `item-${i}`, text: 'x'.repeat(50_000) });
  await put(to, { pk: 'item-7', text: 'newer' });
  await put(to, { pk: 'item-41' });
  expect(await copyTable(dynamodb, { from, to })).toEqual({ copied: 39, kept: 1 });
  const { Item: kept } = await dynamodb.send(
    new GetCommand({ TableName: to, Key: { pk: 'item-7', sk: 'x' } }),
  );
  expect(kept).toMatchObject({ text: 'newer' });
  expect(await copyTable(dynamodb, { from, to })).toEqual({ copied: 0, kept: 40 });
});

test('a copying that was broken off goes on where it was, and says so of all items in the end', async () => {
  const { dynamodb } = dynamo;
  const [from, to] = [await newTable('values'), await newTable('values')];
  for (let i = 0; i < 40; i++) await put(from, { pk: `item-${i}`, text: 'x'.repeat(50_000) });
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-copy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const progressFile = path.join(folder, 'progress.json');
  let seen = 0;
  const failing = copyItems(dynamodb, {
    from,
    to,
    progressFile,
    rule(item, there) {
      if (++seen > 30) throw new Error('killed');
      return missingOnly(item, there);
    },
  });
  await expect(failing).rejects.toThrow('killed');
  const pages: number[] = [];
  const onPage = ({ copied, kept }: { copied: number; kept: number }) => pages.push(copied + kept);
  expect(await copyItems(dynamodb, { from, to, progressFile, rule: missingOnly, onPage })).toEqual({
    copied: 40,
    kept: 0,
  });
  expect(pages.length).toBeLessThan(3);
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['cut off while it was written', '{"last":{"pk"', 0],
  [
    'of over an hour ago, since when the table may have served',
    '{"last":{"pk":"item-0","sk":"x"},"total":{"copied":9,"kept":9}}',
    2,
  ],
])('a note of how far a copying came that was %s is not gone on from', async (_, note, hoursAgo) => {
  const { dynamodb } = dynamo;
  const [from, to] = [await newTable('values'), await newTable('values')];
  for (let i = 0; i < 20; i++) await put(from, { pk: `item-${i}` });
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-copy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const progressFile = path.join(folder, 'progress.json');
  await writeFile(progressFile, note);
  const then = Date.now() / 1000 - hoursAgo * 3600;
  await utimes(progressFile, then, then);
  expect(await copyItems(dynamodb, { from, to, progressFile, rule: missingOnly })).toEqual({
    copied: 20,
    kept: 0,
  });
});

test.each([servingTag, 'sst:stage'])(
  'a table that a stage uses, by its tag %s, gets no books of another',
  async (Key) => {
    const { dynamodb } = dynamo;
    const [from, to] = [await newTable('accounts'), await newTable('accounts')];
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: to }));
    await dynamodb.send(
      new TagResourceCommand({ ResourceArn: Table?.TableArn, Tags: [{ Key, Value: 'production' }] }),
    );
    await put(from, { pk: 'ACCOUNT#a', sk: 'ACCOUNT' });
    await expect(copyTable(dynamodb, { from, to, rule: 'accounts' })).rejects.toThrow('the stage production');
    await expect(makeBooks(dynamodb, to)).rejects.toThrow('the stage production');
    expect(await copyTable(dynamodb, { from, to })).toEqual({ copied: 1, kept: 0 });
  },
);

let made = 0;
async function newTable(kind: 'accounts' | 'skills' | 'values'): Promise<string> {
  const name = `${kind}-${++made}`;
  await dynamo.make({ ...tableDefinitions[kind], name });
  return name;
}

/** A table as a restore makes it: everything as it is at this moment. */
async function restore(kind: 'accounts' | 'skills'): Promise<string> {
  const to = await newTable(kind);
  await copyTable(dynamo.dynamodb, { from: dynamo.tables[kind], to });
  return to;
}

/** The service on a restored table, in a process that remembers nothing of the table before. */
function servedBy<T extends ReturnType<typeof testAccounts>>(deps: T, table: string): T {
  const other = anotherProcess(dynamo, deps);
  onTestFinished(() => other.close());
  return { ...other, tables: { ...deps.tables, accounts: table } };
}

async function problemsOf(deps: Parameters<typeof checkRollUps>[0]): Promise<object[]> {
  const problems: object[] = [];
  for await (const problem of checkBalances(deps)) problems.push(problem);
  for await (const problem of checkRollUps(deps)) problems.push(problem);
  return problems;
}

let deps: ReturnType<typeof testAccounts>;
beforeEach(() => {
  deps = testAccounts(dynamo);
});

const charge = (accountId: string, id: string, amountNanoEuro: number) =>
  applyCharge(deps, {
    id: `${accountId}:${id}`,
    at: toIso(deps.clock()),
    kind: 'completion',
    payer: { accountId },
    model: 'writer',
    inputTokens: 1,
    outputTokens: 0,
    amountNanoEuro,
  });

const hour = 60 * 60 * 1000;
const euro = 1_000_000_000;

/** Accounts whose money, keys and standing change after the moment to which the table is restored. */
async function changeAfterRestore() {
  const spending = await newTestAccount(deps);
  const inWork = await newTestAccount(deps);
  const lost = await newTestAccount(deps);
  const frozen = await newTestAccount(deps);
  const limited = await createKey(deps, { accountId: spending.accountId, label: 'limited' });
  const { organisationId } = await createOrganisation(deps, { name: 'Org', subscription: false });
  for (const { accountId } of [spending, inWork, lost, frozen]) await charge(accountId, 'before', euro);
  // Ended by the time of the restore's use, and charged: the restored purse must not hold it any more.
  const bound = { mostNanoEuro: euro, within: async (there: number) => there };
  const early = await reserve(deps, { accountId: inWork.accountId, keyId: inWork.keyId }, bound);
  deps.clock.advance(3 * hour);
  await reportUsage(
    deps,
    { accountId: spending.accountId },
    { from: deps.clock() - 24 * hour, to: deps.clock(), groupBy: ['day'] },
  );
  const restored = await restore('accounts');
  deps.clock.advance(hour);
  await applyCharge(deps, {
    id: `${inWork.accountId}:early`,
    at: toIso(deps.clock()),
    kind: 'completion',
    payer: early.payer,
    model: 'writer',
    amountNanoEuro: euro / 2,
    reservation: early.reservation,
  });
  const late = await reserve(deps, { accountId: inWork.accountId, keyId: inWork.keyId }, bound);
  await charge(spending.accountId, 'after', 2 * euro);
  await addCredits(deps, { accountId: spending.accountId, amountNanoEuro: 5 * euro });
  await revokeKey(deps, spending.keyId);
  await updateKey(deps, limited.keyId, { routes: ['chat'] });
  await updateOrganisation(deps, { organisationId, subscription: true, ceilingNanoEuro: 7 * euro });
  await freezeAccount(deps, frozen.accountId);
  const { accountId: young } = await createAccount(deps, { name: 'Young', creditsNanoEuro: 3 * euro });
  const youngKey = await createKey(deps, { accountId: young, label: 'young' });
  await charge(young, 'after', euro);
  return { restored, spending, inWork, lost, frozen, limited, organisationId, late, young, youngKey };
}

/** What a mistake, or a bug, may do to the table that serves. */
async function damage({
  spending,
  lost,
  frozen,
}: Awaited<ReturnType<typeof changeAfterRestore>>): Promise<void> {
  const TableName = dynamo.tables.accounts;
  const del = (Key: { pk: string; sk: string }) =>
    dynamo.dynamodb.send(new DeleteCommand({ TableName, Key }));
  await dynamo.dynamodb.send(
    new UpdateCommand({
      TableName,
      Key: itemKeys.balance(spending.accountId),
      UpdateExpression: 'SET balanceNanoEuro = :wrong, availableNanoEuro = :wrong',
      ExpressionAttributeValues: { ':wrong': 1 },
    }),
  );
  await del(itemKeys.account(lost.accountId));
  await del(itemKeys.balance(lost.accountId));
  await del(itemKeys.ledgerEntry(`LEDGER#${lost.accountId}`, `${lost.accountId}:before`));
  // Of the revoked key, and of a frozen account's, the item by which it is found, so that the restored one would let it in again.
  for (const { keyId } of [spending, frozen]) {
    const { Item: place } = await dynamo.dynamodb.send(
      new GetCommand({ TableName, Key: { pk: `KEYID#${keyId}`, sk: 'KEYID' } }),
    );
    await del({ pk: `KEY#${place?.hash}`, sk: 'KEY' });
  }
}

test('a restored table of accounts gets what came after it: all money is there once, and what was revoked, frozen or limited stays so', async () => {
  const changed = await changeAfterRestore();
  await damage(changed);
  const { restored, spending, inWork, lost, frozen, limited, organisationId, young, youngKey } = changed;
  expect(await problemsOf(deps)).not.toEqual([]);
  await copyTable(dynamo.dynamodb, { from: dynamo.tables.accounts, to: restored, rule: 'accounts' });
  const after = servedBy(deps, restored);
  expect(await problemsOf(after)).toEqual([]);
  const balances = await Promise.all(
    [spending, inWork, lost, frozen, { accountId: young }].map(
      async ({ accountId }) => (await readAccountPurse(after, accountId)).balanceNanoEuro / euro,
    ),
  );
  expect(balances).toEqual([12, 8.5, 9, 9, 2]);
  // The call in work is known, and the one that had ended is not on hold again.
  const purse = await readAccountPurse(after, inWork.accountId);
  expect([...purse.holds.keys()]).toEqual([changed.late.reservation?.id]);
  expect(purse.availableNanoEuro).toBe(7.5 * euro);
  const enters = (key: string) => authenticate(after, `Bearer ${key}`);
  await expect(enters(spending.key)).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(enters(frozen.key)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await enters(youngKey.key)).toMatchObject({ accountId: young });
  expect(await enters(lost.key)).toMatchObject({ accountId: lost.accountId });
  expect(await enters(limited.key)).toMatchObject({ limits: { routes: ['chat'] } });
  const keys = await listKeys(after, spending.accountId);
  expect(keys.find(({ keyId }) => keyId === spending.keyId)).toHaveProperty('revokedAt');
  expect((await listOrganisations(after)).find((one) => one.organisationId === organisationId)).toMatchObject(
    {
      subscription: true,
      ceilingNanoEuro: 7 * euro,
    },
  );
  // A call of a process that died ends as ever, and the copying may be repeated.
  deps.clock.advance(hour);
  expect(await readCredits(after, inWork.accountId)).toMatchObject({ availableNanoEuro: 8.5 * euro });
  await copyTable(dynamo.dynamodb, { from: dynamo.tables.accounts, to: restored, rule: 'accounts' });
  expect(await problemsOf(servedBy(deps, restored))).toEqual([]);
});

test('a restored table of accounts may keep its own ledgers: the money is as it was then, and what was revoked stays so', async () => {
  const changed = await changeAfterRestore();
  const { restored, spending, inWork, frozen, young, youngKey } = changed;
  const rules = { rule: 'accounts', ledgers: 'restored' } as const;
  await copyTable(dynamo.dynamodb, { from: dynamo.tables.accounts, to: restored, ...rules });
  const after = servedBy(deps, restored);
  expect(await problemsOf(after)).toEqual([]);
  const purses = await Promise.all(
    [spending.accountId, inWork.accountId, young].map((accountId) => readAccountPurse(after, accountId)),
  );
  expect(purses.map(({ balanceNanoEuro }) => balanceNanoEuro / euro)).toEqual([9, 9, 0]);
  expect(purses.map(({ availableNanoEuro }) => availableNanoEuro / euro)).toEqual([9, 9, 0]);
  expect(purses.map(({ holds }) => holds.size)).toEqual([0, 0, 0]);
  for (const { key } of [spending, frozen])
    await expect(authenticate(after, `Bearer ${key}`)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await authenticate(after, `Bearer ${youngKey.key}`)).toMatchObject({ accountId: young });
});

test.each([
  ['an entry of the ledger', { pk: 'LEDGER#a', sk: 'e' }, 'before', 'after'],
  ['a webhook, whose secret others may know by now', { pk: 'WEBHOOKS#a', sk: 'k#w' }, 'after', 'after'],
  ['the place of a webhook', { pk: 'WEBHOOKSLOTS#a', sk: 'k#1' }, 'after', 'after'],
  ['a roll-up of usage, which is made anew', { pk: 'USAGE#LEDGER#a', sk: 'DAY#2026' }, 'before', undefined],
  ['what is known of a call in work', { pk: 'ACCOUNT#a', sk: 'DRAFT#r' }, 'after', 'after'],
  ['what a ceiling holds', { pk: 'ORGANISATION#o', sk: 'CEILING' }, 'after', 'after'],
  ['a purse, which is made of its ledger', { pk: 'ACCOUNT#a', sk: 'BALANCE' }, 'before', undefined],
  ['an item that nobody knows', { pk: 'OTHER#a', sk: 'x' }, 'before', 'after'],
])('of %s, the one that is there and the one that is missing are decided', async (_, key, there, missing) => {
  const rule = accountsRule('both');
  const current = { ...key, said: 'after' };
  const given = async (restored?: object) => (await rule(current, restored as typeof current))?.said;
  expect((await given({ ...key, said: 'before' })) ?? 'before').toBe(there);
  expect(await given()).toBe(missing);
});

test('admin check finds the books in order on a restored table', async () => {
  const changed = await changeAfterRestore();
  await damage(changed);
  const { restored, spending, inWork, lost } = changed;
  await copyTable(dynamo.dynamodb, { from: dynamo.tables.accounts, to: restored, rule: 'accounts' });
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-restored-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const endpoints = { dynamodb: dynamo.endpoint, s3: dynamo.endpoint };
  await writeFile(path.join(folder, 'service.json'), JSON.stringify({ pid: process.pid, endpoints }));
  for (const { accountId } of [spending, inWork, lost]) {
    const printed: string[] = [];
    const terminal = { out: (text: string) => printed.push(text), err: (text: string) => printed.push(text) };
    const TABLE_NAMES = JSON.stringify({ accounts: restored });
    const status = await run(['check', '--account', accountId], terminal, () =>
      readConfig('local', { DATA_DIR: folder, TABLE_NAMES }),
    );
    expect([status, printed.join('\n')]).toEqual([0, 'The books agree.']);
  }
});

test.each(kinds)(
  '$noun: those that were made since come over whole, and those of the restored table stay as they were, with their names',
  async (kind) => {
    const on = { skillsEnabled: true, agentsEnabled: true, web: { allowedHosts: new Set<string>() } };
    const things = { ...deps, ...on, accounts: deps, providerScope: 'provider' };
    const owner = { scope: 'user', accountId: `account_of_${kind.noun}` } as const;
    const make = async (name: string, instructions = name) =>
      (await kind.create(things, owner, { name, instructions })).row.id;
    const [changed, renamed, deleted] = [await make('changed'), await make('renamed'), await make('deleted')];
    const restored = await restore('skills');
    await kind.update(things, 'operator', changed, { instructions: 'other words' });
    await kind.update(things, 'operator', renamed, { name: 'another' });
    await kind.remove(things, 'operator', deleted);
    await make('deleted', 'a namesake');
    const young = await make('young', 'first');
    await kind.update(things, 'operator', young, { instructions: 'second' });
    const copying = { from: dynamo.tables.skills, to: restored, rule: 'skills' } as const;
    await copyTable(dynamo.dynamodb, copying);
    // Repeated, as after an interruption: nothing else comes over.
    expect(await copyTable(dynamo.dynamodb, copying)).toMatchObject({ copied: 0 });
    const other = anotherProcess(dynamo, deps);
    onTestFinished(() => other.close());
    const after = { ...things, ...other, tables: { ...things.tables, skills: restored } };
    expect((await kind.listOwned(after, owner)).map(({ id, name, version }) => [id, name, version])).toEqual([
      [changed, 'changed', 1],
      [deleted, 'deleted', 1],
      [renamed, 'renamed', 1],
      [young, 'young', 2],
    ]);
    const principal = { accountId: owner.accountId, keyId: 'key' };
    for (const [name, instructions] of [
      ['changed', 'changed'],
      ['deleted', 'deleted'],
      ['young', 'second'],
      [{ name: 'young', version: 1 }, 'first'],
    ] as const)
      expect(await kind.resolve(after, principal, name)).toMatchObject({
        contentHash: kind.digestOf(instructions),
      });
  },
);
