import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { run } from '@errand/admin/testing';
import { awsSettings, runningService } from '@errand/local/testing';
import {
  createFiles,
  type Discrepancy,
  localTableNames,
  newUuid,
  readConfig,
  sha256Hex,
} from '@errand/platform';
import { checkFiles } from '@errand/runs';
import { beforeEach, expect, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;

useService((started) => {
  ({ provider, service } = started);
});

interface Checked {
  status: number;
  ok: boolean;
  problems: Discrepancy[];
}

async function check(...line: string[]): Promise<Checked> {
  let said = '';
  const terminal = { out: (text: string) => (said += text), err: (text: string) => (said += text) };
  const config = () => readConfig('local', { DATA_DIR: service.dataDir });
  const status = await run(['check', ...line, '--json'], terminal, config);
  return { status, ...(JSON.parse(said) as Omit<Checked, 'status'>) };
}

const agrees = { status: 0, ok: true, problems: [] };
/** Twice of it, compressed, is more than a run's commits may hold before its checkpoint is written whole again. */
const longText = Array.from({ length: 1_500 }, (_, i) =>
  Buffer.from(sha256Hex(`tide ${i}`), 'hex').toString('base64url'),
).join(' ');

interface Books {
  accountId: string;
  key: string;
  agentId: string;
}

/** An account with a run of large events, a charge by chat, and a cancelled and a failed run. */
async function openBooks(): Promise<Books> {
  const { accountId, key } = await service.newAccount('5');
  const chat = { model: 'writer', messages: [{ role: 'user', content: 'Hello' }] };
  provider.script(inTurn({ text: 'Hello.' }));
  expect((await service.post('/v1/chat/completions', chat, { key })).status).toBe(200);
  const save = { name: 'save_file', args: { filename: 'tides.md', content: '# Tides' } };
  provider.script(inTurn({ calls: [save] }, { text: longText }));
  const agentId = await service.start({ question: longText }, key);
  await service.follow(agentId, { key });
  provider.script(() => ({ status: 400 }));
  await service.follow(await service.start({ question: 'Fail' }, key), { key });
  provider.script(() => 'hang');
  const cancelled = await service.start({ question: 'Wait' }, key);
  await service.post(`/v1/agents/runs/${cancelled}/cancel`, {}, { key });
  await service.follow(cancelled, { key });
  return { accountId, key, agentId };
}

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});

const runKey = (agentId: string, sk: string) => ({ pk: `RUN#${agentId}`, sk });
const change = (table: 'runs' | 'accounts', Key: object, expression: string, value: unknown, name: string) =>
  service.clients.dynamodb.send(
    new UpdateCommand({
      TableName: localTableNames[table],
      Key: Key as Record<string, string>,
      UpdateExpression: expression,
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    }),
  );
const remove = (table: 'runs' | 'accounts' | 'schedules', Key: Record<string, string>) =>
  service.clients.dynamodb.send(new DeleteCommand({ TableName: localTableNames[table], Key }));

test('books that nobody has altered agree, for one account and for all', async () => {
  expect(await check('--account', books.accountId)).toEqual(agrees);
  expect(await check()).toEqual(agrees);
});

test('the books of an account agree at every moment while it makes calls', async () => {
  provider.script(() => ({ text: 'ok' }));
  const { accountId, key } = books;
  const chat = { model: 'writer', messages: [{ role: 'user', content: 'Hello' }] };
  const ended = new AbortController();
  const work = Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let i = 0; i < 8; i++) {
        await service.post('/v1/chat/completions', chat, { key });
        await service.follow(await service.start({ question: 'Go on' }, key), { key });
      }
    }),
  ).finally(() => ended.abort());
  while (!ended.signal.aborted) expect(await check('--account', accountId)).toEqual(agrees);
  await work;
});

const euro = 1_000_000_000;

test.each<[string, (books: Books) => Promise<unknown>, (books: Books) => Discrepancy[]]>([
  [
    'a balance that is not the sum of its ledger',
    ({ accountId }) =>
      change(
        'accounts',
        { pk: `ACCOUNT#${accountId}`, sk: 'BALANCE' },
        'ADD #name :value',
        euro,
        'balanceNanoEuro',
      ),
    ({ accountId }) => [
      {
        of: 'account',
        id: accountId,
        problem: expect.stringMatching(/^The balance is 5\.\d+ EUR, the sum of the ledger is 4\.\d+ EUR\.$/),
      },
    ],
  ],
  [
    'a charge that is missing',
    ({ accountId, agentId }) =>
      remove('accounts', { pk: `LEDGER#${accountId}`, sk: `${agentId}:completion-1` }),
    ({ accountId, agentId }) => [
      { of: 'account', id: accountId, problem: expect.stringContaining('the sum of the ledger is') },
      {
        of: 'run',
        id: agentId,
        problem: expect.stringMatching(/^The run has used \d+ nano-euro, its charges say \d+\.$/),
      },
      { of: 'run', id: agentId, problem: 'The run has used 300 input tokens, its charges say 200.' },
      { of: 'run', id: agentId, problem: 'The run has used 30 output tokens, its charges say 20.' },
    ],
  ],
  [
    'an event that is missing',
    ({ agentId }) => remove('runs', runKey(agentId, 'EVENT#0000000002')),
    ({ agentId }) => [{ of: 'run', id: agentId, problem: 'Event 2 is missing.' }],
  ],
  [
    'a run that forgot its last event',
    ({ agentId }) => change('runs', runKey(agentId, 'RUN'), 'ADD #name :value', 1, 'lastEventId'),
    ({ agentId }) => [
      {
        of: 'run',
        id: agentId,
        problem: expect.stringMatching(/^The last event is (\d+), the run says \d+\.$/),
      },
    ],
  ],
  [
    'a status that the events do not tell',
    ({ agentId }) => change('runs', runKey(agentId, 'RUN'), 'SET #name = :value', 'failed', 'status'),
    ({ agentId }) => [{ of: 'run', id: agentId, problem: 'The run is failed, its last event is done.' }],
  ],
  [
    'an ended run that says it runs, which no worker has taken for hours',
    async ({ agentId }) => {
      await change('runs', runKey(agentId, 'RUN'), 'SET #name = :value', 'running', 'status');
      await change('runs', runKey(agentId, 'RUN'), 'SET #name = :value', 1, 'sentAtMilliseconds');
    },
    ({ agentId }) => [
      { of: 'run', id: agentId, problem: 'The run is running, its last event is done.' },
      {
        of: 'run',
        id: agentId,
        problem: expect.stringMatching(/^The run is running, and no worker has taken it for \d+ minutes\.$/),
      },
    ],
  ],
  [
    'an input that is missing',
    ({ agentId }) => remove('runs', runKey(agentId, 'INPUT')),
    ({ agentId }) => [{ of: 'run', id: agentId, problem: 'The input is missing.' }],
  ],
])('%s is reported', async (_, spoil, told) => {
  await spoil(books);
  const expected = { status: 1, ok: false, problems: told(books) };
  expect(await check('--account', books.accountId)).toEqual(expected);
  const all = await check();
  expect(all.problems).toEqual(expect.arrayContaining(expected.problems));
});

test('a run that is listed but missing is reported', async () => {
  const { agentId, accountId } = books;
  await remove('runs', runKey(agentId, 'RUN'));
  const told = { of: 'run', id: agentId, problem: 'The run is listed and missing.' };
  expect((await check('--account', accountId)).problems).toEqual([told]);
  expect((await check()).problems).toContainEqual(told);
});

test('an account that has only a balance left, and an amount that is no number, are reported', async () => {
  const { agentId, accountId } = books;
  const entry = { pk: `LEDGER#${accountId}`, sk: `${agentId}:completion-1` };
  await change('accounts', entry, 'SET #name = :value', 'much', 'amountNanoEuro');
  await remove('accounts', { pk: `ACCOUNT#${accountId}`, sk: 'ACCOUNT' });
  const problems = (await check()).problems.filter(({ id }) => id === accountId);
  expect(problems.map(({ problem }) => problem)).toEqual([
    'The ledger has an amount that is no number of nano-euro.',
    'The account has nothing but a balance.',
  ]);
});

test('a run that was created with an idempotency key is reported once', async () => {
  const { key } = books;
  provider.script(() => ({ text: 'ok' }));
  const headers = { 'Idempotency-Key': 'once' };
  const created = await service.post('/v1/agents/runs', { question: 'Once' }, { key, headers });
  const { agentId } = (await created.json()) as { agentId: string };
  await service.follow(agentId, { key });
  await remove('runs', runKey(agentId, 'INPUT'));
  const problems = (await check()).problems.filter(({ id }) => id === agentId);
  expect(problems).toEqual([{ of: 'run', id: agentId, problem: 'The input is missing.' }]);
});

test('payloads that are missing in the bucket are reported', async () => {
  const { agentId, accountId } = books;
  const settings = awsSettings((await runningService(service.dataDir))!.endpoints);
  await createFiles(settings).deletePrefix(`events/${agentId}/`);
  const { problems } = await check('--account', accountId);
  const gone = problems.map(({ problem }) => problem).sort();
  expect(gone).toEqual([
    expect.stringMatching(/^The checkpoint is missing in the bucket\.$/),
    expect.stringMatching(/^The input is missing in the bucket\.$/),
    expect.stringMatching(/^The payload of event \d+ is missing in the bucket\.$/),
    expect.stringMatching(/^The payload of event \d+ is missing in the bucket\.$/),
    expect.stringMatching(/^The result is missing in the bucket\.$/),
  ]);
});

test('the basis of a value that is missing in the bucket is reported', async () => {
  const { accountId, key } = books;
  // The pointer of each field has the name.
  const name = 'what is known of the tide at this place'.repeat(2);
  const row = { type: 'object', properties: { [name]: { type: 'string' } } };
  const outputSchema = {
    type: 'object',
    properties: { rows: { type: 'array', items: row } },
    required: ['rows'],
  };
  const rows = Array.from({ length: 500 }, (_, i) => ({ [name]: `Tide ${i}` }));
  const value = JSON.stringify({ value: { rows }, sources: [] });
  provider.script(inTurn({ text: value }, { calls: [{ name: 'confirm_answer', args: {} }] }));
  const agentId = await service.start({ question: 'Which tides?', outputSchema }, key);
  await service.follow(agentId, { key });
  expect(await service.read(agentId, key)).toMatchObject({ status: 'succeeded', output: { rows } });
  expect(await check('--account', accountId)).toEqual(agrees);
  const settings = awsSettings((await runningService(service.dataDir))!.endpoints);
  await createFiles(settings).deletePrefix(`events/${agentId}/basis`);
  const { problems } = await check('--account', accountId);
  expect(problems).toEqual([
    { of: 'run', id: agentId, problem: 'The basis of the value is missing in the bucket.' },
  ]);
});

test('a schedule that has lost what its runs are created with is reported', async () => {
  const { accountId, key } = books;
  const made = await service.post('/v1/schedules', { question: 'When?', every: '31d' }, { key });
  const { id } = (await made.json()) as { id: string };
  await remove('schedules', { pk: `SCHEDULE#${id}`, sk: 'BODY' });
  const told = { of: 'schedule', id, problem: 'What its runs are created with is missing.' };
  expect((await check('--account', accountId)).problems).toEqual([told]);
  expect((await check()).problems).toContainEqual(told);
});

test('an account without a balance is reported', async () => {
  const { accountId } = books;
  await remove('accounts', { pk: `ACCOUNT#${accountId}`, sk: 'BALANCE' });
  const told = { of: 'account', id: accountId, problem: 'The account has no balance.' };
  expect((await check()).problems).toContainEqual(told);
});

test('a file without a run is reported, unless its run may be in creation or may have expired', async () => {
  const settings = awsSettings((await runningService(service.dataDir))!.endpoints);
  const files = createFiles(settings);
  const key = `saved/${newUuid()}/report.md`;
  await files.put(key, '# Report', 'text/markdown');
  const toldAfter = async (minutes: number) => {
    const clock = () => Date.now() + minutes * 60_000;
    const { dynamodb } = service.clients;
    const found: string[] = [];
    for await (const { id } of checkFiles({ dynamodb, tables: settings.tables, files, clock }))
      found.push(id);
    return found.includes(key);
  };
  expect([await toldAfter(0), await toldAfter(20), await toldAfter(13 * 60)]).toEqual([false, true, false]);
});

test('an account that is not known is refused', async () => {
  let said = '';
  const terminal = { out: () => {}, err: (text: string) => (said += text) };
  const config = () => readConfig('local', { DATA_DIR: service.dataDir });
  expect(await run(['check', '--account', 'none'], terminal, config)).toBe(1);
  expect(said).toBe('There is no account none.');
});
