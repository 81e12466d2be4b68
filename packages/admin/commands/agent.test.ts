import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AgentDetail, resolveAgent } from '@errand/agents';
import { readConfig, silentLog } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { run } from '../run.ts';

let dynamo: TestDynamo;
let folder: string;
beforeAll(async () => {
  dynamo = await startTestDynamo();
  folder = await mkdtemp(path.join(tmpdir(), 'errand-admin-agents-'));
  const service = { pid: process.pid, endpoints: { dynamodb: dynamo.endpoint, s3: dynamo.endpoint } };
  await writeFile(path.join(folder, 'service.json'), JSON.stringify(service));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await dynamo.close();
});

async function fileOf(definition: unknown): Promise<string> {
  const file = path.join(folder, 'definition.json');
  await writeFile(file, typeof definition === 'string' ? definition : JSON.stringify(definition));
  return file;
}

async function admin(...line: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
  const read = () => readConfig('local', { DATA_DIR: folder, PROVIDER_SCOPE: 'acme' });
  const status = await run(line, terminal, read);
  return { status, out: out.join('\n'), err: err.join('\n') };
}

async function agent(...line: string[]): Promise<AgentDetail> {
  const done = await admin('agent', ...line, '--json');
  expect(done).toMatchObject({ status: 0, err: '' });
  return JSON.parse(done.out);
}

const definition = { instructions: 'Sort mails.', tools: ['web_search'], maxCredits: '0.50' };

test('an agent is created in each scope, updated whole, listed and deleted', async () => {
  const { accountId, organisationId = '' } = await newTestAccount(testAccounts(dynamo), {
    subscription: true,
  });
  const file = await fileOf(definition);
  const create = (name: string, ...scope: string[]) =>
    agent('create', ...scope, '--name', name, '--definition-file', file);
  const all = await create('all', '--scope', 'provider');
  expect(all).toMatchObject({ ...definition, name: 'all', description: '', scope: 'acme', version: 1 });
  await create('team', '--scope', 'organisation', '--organisation', organisationId);
  await create('own', '--scope', 'user', '--account', accountId);
  const deps = { ...testAccounts(dynamo), log: silentLog, providerScope: 'acme' };
  const principal = { keyId: 'k', accountId, organisationId };
  for (const name of ['all', 'team', 'own'])
    expect(await resolveAgent(deps, principal, { name })).toMatchObject({ name, version: 1, definition });

  const changed = await agent('update', all.id, '--definition-file', await fileOf({ instructions: 'Sort.' }));
  expect(changed).toMatchObject({ instructions: 'Sort.', version: 2 });
  expect(changed).not.toHaveProperty('tools');
  expect(await agent('update', all.id, '--enabled', 'false')).toMatchObject({ enabled: false, version: 2 });
  const listed = await admin('agent', 'list', '--scope', 'provider');
  expect(listed.out).toBe(`${all.id}  acme  all  version 2  disabled`);
  expect(await agent('delete', all.id)).toEqual({ id: all.id });
  expect((await admin('agent', 'list', '--scope', 'provider', '--json')).out).toBe('{"agents":[]}');
});

const unknown = `agent_${'0'.repeat(20)}`;

test.each<[unknown, string]>([
  ['[]', 'is not a JSON object.'],
  ['{', 'is not a JSON object.'],
  [{ instructions: '' }, 'instructions: must not be empty'],
  [{ ...definition, mcp: [{ label: 'a', url: 'https://10.0.0.1/' }] }, 'mcp[0].url: cannot be asked'],
])('a definition %j is refused with its reason', async (wrong, reason) => {
  const scope = ['--scope', 'provider', '--name', 'wrong'];
  const done = await admin('agent', 'create', ...scope, '--definition-file', await fileOf(wrong));
  expect(done).toMatchObject({ status: 1, out: '' });
  expect(done.err).toContain(reason);
});

test('a taken name, and an agent that there is not, are refused with their reasons', async () => {
  const line = ['--scope', 'provider', '--name', 'taken', '--definition-file', await fileOf(definition)];
  await agent('create', ...line);
  expect((await admin('agent', 'create', ...line)).err).toBe(
    'There is already an agent named taken in this scope.',
  );
  for (const words of [
    ['delete', unknown],
    ['update', unknown, '--enabled', 'true'],
  ])
    expect((await admin('agent', ...words)).err).toBe(`There is no agent ${unknown}.`);
  expect((await admin('agent', 'update', unknown)).status).toBe(2);
});
