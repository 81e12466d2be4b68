import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createOrganisation } from '@errand/accounts';
import { limits, readConfig } from '@errand/platform';
import { resolveSkill, type SkillDetail } from '@errand/skills';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { run } from '../run.ts';

let dynamo: TestDynamo;
let folder: string;
let file: string;
beforeAll(async () => {
  dynamo = await startTestDynamo();
  folder = await mkdtemp(path.join(tmpdir(), 'errand-admin-skills-'));
  const service = { pid: process.pid, endpoints: { dynamodb: dynamo.endpoint, s3: dynamo.endpoint } };
  await writeFile(path.join(folder, 'service.json'), JSON.stringify(service));
  file = await write('instructions.md', 'Be brief.\n');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await dynamo.close();
});

async function write(name: string, content: string | Uint8Array): Promise<string> {
  await writeFile(path.join(folder, name), content);
  return path.join(folder, name);
}

async function admin(...line: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
  const read = () => readConfig('local', { DATA_DIR: folder, PROVIDER_SCOPE: 'acme' });
  const status = await run(line, terminal, read);
  return { status, out: out.join('\n'), err: err.join('\n') };
}

async function skill(...line: string[]): Promise<SkillDetail> {
  const done = await admin('skill', ...line, '--json');
  expect(done).toMatchObject({ status: 0, err: '' });
  return JSON.parse(done.out);
}

const create = (...line: string[]) => skill('create', '--instructions-file', file, ...line);
const accounts = () => testAccounts(dynamo);
const resolve = (principal: { accountId: string; organisationId?: string }, field: unknown) => {
  const deps = { ...accounts(), skillsEnabled: true, providerScope: 'acme' };
  return resolveSkill(deps, { keyId: 'k', ...principal }, field);
};

test('a skill is created in each scope, and answers as over HTTP', async () => {
  const { accountId, organisationId = '' } = await newTestAccount(accounts(), { subscription: true });
  const provider = await create('--scope', 'provider', '--name', 'all', '--description', 'For all');
  expect(provider).toEqual({
    id: expect.stringMatching(/^skill_/),
    name: 'all',
    description: 'For all',
    instructions: 'Be brief.\n',
    enabled: true,
    scope: 'acme',
    version: 1,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  const team = await create('--scope', 'organisation', '--organisation', organisationId, '--name', 'team');
  expect(team.scope).toBe('organisation');
  const own = await create('--scope', 'user', '--account', accountId, '--name', 'own');
  expect(own.scope).toBe('user');
  for (const name of ['all', 'team', 'own'])
    expect(await resolve({ accountId, organisationId }, name)).toMatchObject({ name, version: 1 });
});

test('an unversioned skill has a null version and cannot be pinned', async () => {
  const { accountId } = await newTestAccount(accounts());
  const scope = ['--scope', 'user', '--account', accountId];
  expect((await create(...scope, '--name', 'old', '--unversioned')).version).toBeNull();
  expect(await resolve({ accountId }, 'old')).not.toHaveProperty('version');
  await expect(resolve({ accountId }, { name: 'old', version: 1 })).rejects.toMatchObject({
    details: { reason: 'unversioned' },
  });
});

test('a skill of any scope is updated, listed though disabled, and deleted', async () => {
  const { organisationId } = await createOrganisation(accounts(), { name: 'O', subscription: false });
  const scope = ['--scope', 'organisation', '--organisation', organisationId];
  const { id } = await create(...scope, '--name', 'changing');
  const other = await write('other.md', 'Be long.');
  expect(await skill('update', id, '--instructions-file', other)).toMatchObject({
    instructions: 'Be long.',
    version: 2,
  });
  expect(await skill('update', id, '--enabled', 'false')).toMatchObject({ enabled: false, version: 2 });
  const listed = await admin('skill', 'list', ...scope);
  expect(listed.out).toBe(`${id}  organisation  changing  version 2  disabled`);
  expect(await skill('delete', id)).toEqual({ id });
  expect((await admin('skill', 'list', ...scope, '--json')).out).toBe('{"skills":[]}');
});

test('without --json people read a line', async () => {
  const done = await admin(
    'skill',
    'create',
    '--scope',
    'provider',
    '--name',
    'line',
    '--instructions-file',
    file,
  );
  expect(done.out).toMatch(/^skill_\w+ {2}acme {2}line {2}version 1$/);
});

const unknown = `skill_${'0'.repeat(20)}`;
test.each<[string[], string]>([
  [['update', unknown, '--enabled', 'true'], `There is no skill ${unknown}.`],
  [['update', unknown, '--enabled', 'yes'], '--enabled must be true or false'],
  [['delete', unknown], `There is no skill ${unknown}.`],
  [
    ['create', '--scope', 'provider', '--name', 'a b', '--instructions-file', 'FILE'],
    'name: must start with',
  ],
  [
    ['create', '--scope', 'provider', '--name', 'a', '--instructions-file', 'none.md'],
    'none.md cannot be read: ENOENT.',
  ],
  [
    ['create', '--scope', 'user', '--account', 'none', '--name', 'a', '--instructions-file', 'FILE'],
    'There is no account none.',
  ],
  [
    [
      'create',
      '--scope',
      'organisation',
      '--organisation',
      'none',
      '--name',
      'a',
      '--instructions-file',
      'FILE',
    ],
    'There is no organisation none.',
  ],
])('skill %j is refused with its reason', async (line, reason) => {
  const done = await admin('skill', ...line.map((word) => (word === 'FILE' ? file : word)));
  expect(done).toMatchObject({ status: 1, out: '' });
  expect(done.err).toContain(reason);
});

test('a taken name, a file that is not text and one that is too long are refused with their reasons', async () => {
  const scope = ['--scope', 'provider', '--name', 'refused'];
  await create(...scope);
  const refused = async (from: string) =>
    (await admin('skill', 'create', ...scope, '--instructions-file', from)).err;
  expect(await refused(file)).toBe('There is already a skill named refused in this scope.');
  const binary = await write('binary', new Uint8Array([0xff]));
  expect(await refused(binary)).toBe(`${binary} is not valid UTF-8.`);
  expect(await refused(await write('long', 'x'.repeat(limits.skillInstructionsCharacters + 1)))).toBe(
    'instructions: must have at most 20000 characters; these have 20001',
  );
  expect(await refused(await write('empty', ''))).toBe('instructions: must not be empty');
});

test.each([
  ['create'],
  ['create', '--scope', 'provider', '--name', 'a'],
  ['create', '--scope', 'team', '--name', 'a', '--instructions-file', 'f'],
  ['create', '--scope', 'organisation', '--name', 'a', '--instructions-file', 'f'],
  [
    'create',
    '--scope',
    'user',
    '--organisation',
    'o',
    '--account',
    'a',
    '--name',
    'a',
    '--instructions-file',
    'f',
  ],
  ['list', '--scope', 'user'],
  ['update', unknown],
  ['update', '--enabled', 'false'],
  ['delete'],
])('skill %j is answered with a usage line and status 2', async (...line) => {
  const done = await admin('skill', ...line);
  expect(done).toMatchObject({ status: 2, out: '' });
  expect(done.err).toContain(`usage: npm run -s admin -- skill ${line[0]}`);
});
