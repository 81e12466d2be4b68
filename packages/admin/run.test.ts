import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DescribeTableCommand, DynamoDBClient, TagResourceCommand } from '@aws-sdk/client-dynamodb';
import { applyCharge } from '@errand/money';
import {
  localCredentials,
  localRegion,
  localTableNames,
  readConfig,
  servingTag,
  systemClock,
  tableDefinitions,
  toIso,
} from '@errand/platform';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { commands } from './commands.ts';
import { bucketOfStage, connect, tablesOfStage } from './connect.ts';
import { run } from './run.ts';

let dynamo: TestDynamo;
let dataDir: string;
beforeAll(async () => {
  dynamo = await startTestDynamo();
  dataDir = await mkdtemp(path.join(tmpdir(), 'errand-admin-'));
  await writeFile(path.join(dataDir, 'service.json'), serviceFile(process.pid));
});
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
  await dynamo.close();
});

const serviceFile = (pid: number) =>
  JSON.stringify({ pid, endpoints: { dynamodb: dynamo.endpoint, s3: dynamo.endpoint } });

async function admin(line: string[], environment: Record<string, string> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
  const read = () => readConfig('local', { DATA_DIR: dataDir, ...environment });
  const status = await run(line, terminal, read);
  return { status, out: out.join('\n'), err: err.join('\n') };
}

test.each([
  [['account', 'create', '--name', ' '], '--name must not be empty'],
  [['account', 'create', '--name', 'A', '--credits', '5,00'], '--credits must be an amount of EUR'],
  [['account', 'create', '--name', 'A', '--credits', '0.0000000001'], '--credits must be an amount of EUR'],
  [['account', 'create', '--name', 'A', '--organisation', 'none'], 'There is no organisation none.'],
  [['organisation', 'update', 'none', '--subscription', 'true'], 'There is no organisation none.'],
  [['organisation', 'update', 'none', '--subscription', 'yes'], '--subscription must be true or false'],
  [['key', 'create', '--account', 'none'], 'There is no account none.'],
  [['key', 'list', '--account', 'none'], 'There is no account none.'],
  [['key', 'revoke', 'none'], 'There is no key none.'],
  [['credits', 'add', '--account', 'none', '--amount', '5'], 'There is no account none.'],
  [['credits', 'add', '--account', 'none', '--amount', '1e3'], '--amount must be an amount of EUR'],
  [['credits', 'show', '--organisation', 'none'], 'There is no organisation none.'],
  [['usage', '--organisation', 'none'], 'There is no organisation none.'],
  [['usage', '--account', 'none'], 'There is no account none.'],
  [['usage', '--account', 'a', '--from', 'now'], 'from: must be a day such as'],
  [['usage', '--account', 'a', '--group-by', 'day,hour'], 'group-by: day and hour exclude each other'],
])('%j is refused with its reason', async (line, reason) => {
  const done = await admin(line);
  expect(done).toMatchObject({ status: 1, out: '' });
  expect(done.err).toContain(reason);
});

test('an amount past the largest balance is refused', async () => {
  const { accountId } = await newTestAccount(testAccounts(dynamo), { credits: '1' });
  const done = await admin(['credits', 'add', '--account', accountId, '--amount', '9000000']);
  expect(done).toMatchObject({ status: 1, err: 'amount: takes the balance past 9000000 EUR' });
});

test('an account cannot be created past the largest balance, and a balance at the bound can be brought back', async () => {
  const begun = await admin(['account', 'create', '--name', 'a', '--credits', '9000001']);
  expect(begun).toMatchObject({ status: 1, err: 'amount: takes the balance past 9000000 EUR' });
  const { accountId } = await newTestAccount(testAccounts(dynamo), { credits: '9000000' });
  const add = (amount: string) => admin(['credits', 'add', '--account', accountId, '--amount', amount]);
  expect((await add('0.5')).status).toBe(1);
  expect((await add('-100')).status).toBe(0);
});

test('what an account used is printed as JSON, as lines and as CSV; its upstream is for operators', async () => {
  const deps = { ...testAccounts(dynamo), clock: systemClock };
  const { accountId } = await newTestAccount(deps, { credits: '1' });
  await applyCharge(deps, {
    id: 'c',
    at: toIso(systemClock()),
    kind: 'completion',
    payer: { accountId },
    model: 'writer',
    upstream: 'models.example/writer',
    inputTokens: 3,
    outputTokens: 4,
    amountNanoEuro: 500_000_000,
  });
  const usage = (...options: string[]) =>
    admin(['usage', '--account', accountId, '--group-by', 'model', ...options]);
  const json = JSON.parse((await usage('--json')).out) as { rows: object[] };
  expect(json.rows).toMatchObject([{ model: 'writer', amount: '0.5', requests: 1, inputTokens: 3 }]);
  expect((await usage()).out.split('\n')[1]).toBe('writer  0.5 EUR  1 requests  3 + 4 tokens');
  expect((await usage('--csv', '--recount')).out.split('\n')[1]).toBe('writer,0.5,1,3,0,4,0,0,0');
  const { out } = await admin(['credits', 'show', '--account', accountId, '--json']);
  expect(JSON.parse(out)).toMatchObject({ entries: [{ upstream: 'models.example/writer' }, {}] });
});

test('a wrong environment is refused with its problems', async () => {
  const done = await admin(['key', 'list', '--account', 'a'], { PORT: 'x', AGENTS_ENABLED: 'maybe' });
  expect(done.status).toBe(1);
  expect(done.err).toContain('PORT must be a whole number');
  expect(done.err).toContain('AGENTS_ENABLED must be true or false');
});

test.each(commands.map(({ name }) => name))('%s --help shows how it is used', async (name) => {
  const done = await admin([...name.split(' '), '--help']);
  expect(done).toMatchObject({ status: 0, err: '' });
  expect(done.out).toMatch(new RegExp(`^usage: npm run -s admin -- ${name} .*--stage NAME\\]$`));
});

test('--help shows every command on stdout', async () => {
  const done = await admin(['--help']);
  expect(done).toMatchObject({ status: 0, err: '' });
  expect(done.out.split('\n').every((line) => line.startsWith('usage: npm run -s admin -- '))).toBe(true);
});

test('people read keys and credits line by line', async () => {
  const { accountId, keyId } = await newTestAccount(testAccounts(dynamo), { credits: '0.5' });
  const created = await admin(['key', 'create', '--account', accountId]);
  expect(created.out.split('\n')[1]).toMatch(/^errand_\w{38}$/);
  const keys = await admin(['key', 'list', '--account', accountId]);
  expect(keys.out.split('\n')).toContain(`${keyId}  created 2026-11-21T10:00:00.000Z  test`);
  const credits = await admin(['credits', 'show', '--account', accountId]);
  expect(credits.out).toBe('Balance 0.5 EUR\n2026-11-21T10:00:00.000Z  0.5  credit');
});

test('a key of a frozen account is shown with the time since which it is refused', async () => {
  const { accountId } = await newTestAccount(testAccounts(dynamo));
  const { frozenAt } = JSON.parse((await admin(['account', 'freeze', accountId, '--json'])).out);
  const create = ['key', 'create', '--account', accountId];
  expect((await admin(create)).out.split('\n')).toContain(
    `The account is frozen since ${frozenAt}: the key is refused until npm run -s admin -- account thaw ${accountId}.`,
  );
  expect(JSON.parse((await admin([...create, '--json'])).out)).toMatchObject({ frozenAt });
  await admin(['account', 'thaw', accountId]);
  expect((await admin(create)).out).not.toContain('frozen');
  expect(Object.keys(JSON.parse((await admin([...create, '--json'])).out))).toEqual([
    'keyId',
    'key',
    'label',
  ]);
});

describe('with no running service every command is refused', () => {
  const nothingRuns = (folder: string) =>
    `No local service is running on ${folder}: start it with npm start.`;
  const isDamaged = (folder: string) =>
    `${folder}/service.json is damaged: stop the local service and start it again.`;

  async function refusedWith(content?: string, words = nothingRuns) {
    const folder = await mkdtemp(path.join(dataDir, 'none-'));
    if (content !== undefined) await writeFile(path.join(folder, 'service.json'), content);
    const done = await admin(['key', 'list', '--account', 'a'], { DATA_DIR: folder });
    expect(done).toEqual({ status: 1, out: '', err: words(folder) });
  }

  test('where there is no file', () => refusedWith());

  test('where the file is not JSON, and it is said', () => refusedWith('{', isDamaged));

  test('where the file has an endpoint that is no address, and it is said', () =>
    refusedWith(
      JSON.stringify({ pid: process.pid, endpoints: { dynamodb: 'nowhere', s3: dynamo.endpoint } }),
      isDamaged,
    ));

  test('where the file is a folder, and it is said', async () => {
    const folder = await mkdtemp(path.join(dataDir, 'none-'));
    await mkdir(path.join(folder, 'service.json'));
    const done = await admin(['key', 'list', '--account', 'a'], { DATA_DIR: folder });
    expect(done).toEqual({ status: 1, out: '', err: `${folder}/service.json cannot be read (EISDIR).` });
  });

  test('where the store does not answer, and it is said', () => {
    const service = {
      pid: process.pid,
      endpoints: { dynamodb: 'http://127.0.0.1:1', s3: 'http://127.0.0.1:1' },
    };
    return refusedWith(
      JSON.stringify(service),
      (folder) =>
        `The local service on ${folder} does not answer at http://127.0.0.1:1: it may have been killed, or be starting or busy.`,
    );
  });

  test('where the file has no endpoints', () => refusedWith('{}'));

  test('where the process of the file is gone', async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    await refusedWith(serviceFile(child.pid!));
  });
});

const deployed = (stage: string) =>
  Object.values(tableDefinitions).map(({ name }) => `errand-${stage}-${name}Table-abcdefgh`);

test('a stage is found by the names of its tables', () => {
  const names = [...deployed('live-eu'), ...deployed('live'), 'other'];
  expect(tablesOfStage(names, 'live', 'eu-central-1')).toEqual(
    Object.fromEntries(
      Object.entries(localTableNames).map(([id, name]) => [id, `errand-live-${name}Table-abcdefgh`]),
    ),
  );
});

test('the bucket of a stage is found by its name', () => {
  const names = ['errand-live-eu-filesbucket-aaaaaaaa', 'errand-live-filesbucket-bbbbbbbb', 'other'];
  expect(bucketOfStage(names, 'live', 'eu-central-1')).toBe('errand-live-filesbucket-bbbbbbbb');
  expect(() => bucketOfStage(names, 'test', 'eu-central-1')).toThrow('No stage test in eu-central-1');
});

test('a stage that is missing, or there twice, is refused', () => {
  expect(() => tablesOfStage(deployed('live'), 'test', 'eu-central-1')).toThrow(
    'No stage test in eu-central-1',
  );
  const twice = [...deployed('live'), 'errand-live-AccountsTable-other'];
  expect(() => tablesOfStage(twice, 'live', 'eu-central-1')).toThrow('more than one table');
});

describe('a stage with several tables of a kind', () => {
  const own = 'errand-back-AccountsTable-own';
  const restored = 'errand-back-AccountsTable-restored';
  const config = () => readConfig('local', { DATA_DIR: dataDir, AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint });
  const tag = async (name: string, Key: string) => {
    const client = new DynamoDBClient({
      endpoint: dynamo.endpoint,
      region: localRegion,
      credentials: localCredentials,
    });
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    await client.send(
      new TagResourceCommand({ ResourceArn: Table?.TableArn, Tags: [{ Key, Value: 'back' }] }),
    );
    client.destroy();
  };

  test('is served by the one that its deploy has put in place of its own, and by its own until then', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', localCredentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', localCredentials.secretAccessKey);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const { name, ...definition } of Object.values(tableDefinitions))
      await dynamo.make({ ...definition, name: `errand-back-${name}Table-own` });
    await dynamo.make({ ...tableDefinitions.accounts, name: restored });
    await expect(connect(config(), 'back')).rejects.toThrow('more than one table');
    await tag(own, 'sst:stage');
    expect((await connect(config(), 'back')).tables.accounts).toBe(own);
    await tag(restored, servingTag);
    expect((await connect(config(), 'back')).tables).toMatchObject({
      accounts: restored,
      runs: 'errand-back-RunsTable-own',
    });
  });
});

test('what callers and operators have named cannot steer the terminal: control characters are shown escaped', async () => {
  const label = 'a\u001b[2J\u009b31mb\u202ec\u2028d\ne';
  const { accountId } = await newTestAccount(testAccounts(dynamo));
  const controls = /[^\P{Cc}\n]|[\u2028-\u202e]/u;
  const made = await admin(['key', 'create', '--account', accountId, '--label', label]);
  expect(made.status).toBe(0);
  for (const line of [[], ['--json']]) {
    const listed = await admin(['key', 'list', '--account', accountId, ...line]);
    expect(listed).toMatchObject({ status: 0, err: '' });
    expect(listed.out).not.toMatch(controls);
    expect(listed.out).toContain('a\\u001b[2J\\u009b31mb\\u202ec\\u2028d');
    // A line end in a name would begin a line that looks like another key.
    if (line.length === 0) expect(listed.out.split('\n')).toHaveLength(2);
    else expect(JSON.parse(listed.out).keys).toContainEqual(expect.objectContaining({ label }));
  }
  for (const refused of [
    ['key', 'list', '--account', label],
    ['nonsense', label],
    ['key', 'list', `--${label}`],
  ]) {
    const { status, err } = await admin(refused);
    expect(status).toBeGreaterThan(0);
    expect(err).not.toMatch(controls);
  }
});
