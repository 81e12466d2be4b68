import { limits, sha256Hex } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { agents } from '../versions/kinds.ts';
import { type Caller, type NamedService, startService } from '../versions/support.ts';

let service: NamedService;
let caller: Caller;
beforeAll(async () => {
  service = await startService(agents);
});
beforeEach(async () => {
  caller = await service.newCaller({ organisation: true });
});
afterAll(() => service.close());

const path = '/v1/agents';
const server = { label: 'shop', url: 'https://shop.example/mcp', allowedTools: ['find'], repeat: 'never' };
const full = {
  instructions: 'Sort mails.',
  model: 'writer',
  tools: ['web_search'],
  mcp: ['stock', server],
  skills: { name: 'tone', version: 2 },
  outputSchema: {
    type: 'object',
    properties: { urgent: { type: 'boolean' }, about: { type: 'string' } },
    required: ['urgent', 'about'],
    additionalProperties: false,
  },
  proof: true,
  approve: ['shop__*'],
  effort: 'high',
  maxCredits: '0.50',
  open: ['model'],
};

const post = (body: object) => caller.send('POST', path, { body: { name: 'triage', ...body } });
const patch = (body: object) => caller.send('PATCH', `${path}/triage`, { body });
const get = async (name = 'triage') =>
  (await caller.send('GET', `${path}/${name}`)).json<Record<string, unknown>>();

describe('a definition', () => {
  test('is answered as it was sent, in its own order of fields whatever the order in the body', async () => {
    const backwards = Object.fromEntries(Object.entries(full).reverse());
    const answer = await post(backwards);
    expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('"version":1')]);
    const {
      id: _,
      scope: __,
      createdAt: ___,
      updatedAt: ____,
      ...told
    } = answer.json<Record<string, unknown>>();
    expect(told).toEqual({ ...full, name: 'triage', description: '', enabled: true, version: 1 });
    expect(Object.keys(told).slice(-Object.keys(full).length)).toEqual(Object.keys(full));
    const [version] = (await caller.send('GET', `${path}/triage/versions`)).json<{
      versions: { digest: string }[];
    }>().versions;
    expect(version!.digest).toBe(sha256Hex(JSON.stringify(full)));
    expect((await caller.send('GET', `${path}/triage/versions/1`)).json()).toMatchObject(full);
  });

  test('that is the same publishes nothing, whatever the order of its fields; one field publishes', async () => {
    await post(full);
    const { skills, ...rest } = full;
    expect((await patch({ ...rest, skills: { version: 2, name: 'tone' } })).json().version).toBe(1);
    expect((await patch({ maxCredits: '0.60' })).json().version).toBe(2);
    expect(await get()).toMatchObject({ ...full, maxCredits: '0.60', version: 2 });
    const restored = await caller.send('POST', `${path}/triage/versions/1/restore`);
    expect(restored.json()).toMatchObject({ ...full, version: 3 });
  });

  test('keeps the order of the keys of its schema, in which they are compared', async () => {
    await post(full);
    const { urgent, about } = full.outputSchema.properties;
    const outputSchema = { ...full.outputSchema, properties: { about, urgent } };
    expect((await patch({ outputSchema })).json().version).toBe(2);
    expect(JSON.stringify(await get())).toContain('"properties":{"about"');
  });

  test('loses the fields that a patch has as null, and keeps the others', async () => {
    await post(full);
    const taken = Object.fromEntries(
      Object.keys(full)
        .slice(1, -1)
        .map((name) => [name, null]),
    );
    expect((await patch(taken)).json().version).toBe(2);
    const left = await get();
    expect(left).toMatchObject({ instructions: full.instructions, open: full.open });
    for (const name of Object.keys(taken)) expect(left).not.toHaveProperty(name);
    expect((await patch({ instructions: null })).text).toBe(
      'Invalid agent patch:\ninstructions: must be a string',
    );
  });

  test('has room for the largest instructions and the largest schema', async () => {
    const shortest = { type: 'object', title: '', properties: {}, required: [], additionalProperties: false };
    const title = 'x'.repeat(limits.outputSchemaBytes - JSON.stringify(shortest).length);
    const largest = {
      ...full,
      instructions: 'x'.repeat(limits.skillInstructionsCharacters),
      outputSchema: { ...shortest, title },
    };
    expect((await post(largest)).status).toBe(201);
    expect((await post({ ...largest, outputSchema: { ...shortest, title: `${title}x` } })).text).toContain(
      `may have ${limits.outputSchemaBytes} bytes at most`,
    );
  });

  test('of more bytes than it may have is refused', async () => {
    const mcp = ['a', 'b', 'c', 'd'].map((label) => ({
      ...{ label, url: server.url },
      allowedTools: Array.from({ length: limits.remoteToolsPerRun }, (_, i) => `${i}${'é'.repeat(500)}`),
    }));
    const answer = await post({ instructions: 'x', mcp });
    expect([answer.status, answer.text]).toEqual([
      400,
      `Invalid agent:\nbody: must have at most ${limits.agentDefinitionBytes.toLocaleString('en')} bytes as a definition`,
    ]);
  });
});

test.each(['default', 'runs', 'servers'])('no agent is called %s', async (name) => {
  const words = 'name: must not be default, runs or servers';
  expect((await post({ name, instructions: 'x' })).text).toBe(`Invalid agent:\n${words}`);
  await post({ instructions: 'x' });
  expect((await patch({ name })).text).toBe(`Invalid agent patch:\n${words}`);
});

test.each<[object, string]>([
  [{ tools: ['fly'] }, 'tools[0]: must be one of'],
  [{ mcp: [{ ...server, authorization: 'secret' }] }, 'mcp[0]'],
  [{ mcp: [{ ...server, url: 'https://169.254.169.254/' }] }, 'mcp[0].url: cannot be asked'],
  [{ mcp: [{ ...server, url: 'http://shop.example/' }] }, 'mcp[0].url: cannot be asked'],
  [{ mcp: ['shop', server] }, 'mcp[1]: must have a label of its own'],
  [{ outputSchema: { type: 'array' } }, 'outputSchema'],
  [{ skills: 'x'.repeat(65) }, 'skills: must have a name of at most 64 characters'],
  [{ skills: { name: 'x'.repeat(65), version: 1 } }, 'skills: must have a name of at most 64 characters'],
  [{ effort: 'extreme' }, 'effort'],
  [{ maxCredits: '0' }, 'maxCredits'],
  [{ max_credits: '1' }, 'max_credits: is not a field: write maxCredits'],
  [{ Approve: 'writes' }, 'Approve: is not a field: write approve'],
  [{ open: ['instructions'] }, 'open[0]'],
])('400: %j, which no creation of a run could take, in a creation and in a patch', async (fields, words) => {
  const answer = await post({ instructions: 'x', ...fields });
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(`Invalid agent:\n${words}`)]);
  expect(answer.text).not.toContain('secret');
  await post({ instructions: 'x' });
  const changed = await patch(fields);
  expect([changed.status, changed.text]).toEqual([
    400,
    expect.stringContaining(`Invalid agent patch:\n${words}`),
  ]);
});

test('what a name shows is the own agent, a draft too, else the first enabled one, which is not changed', async () => {
  const { organisationId = '' } = caller;
  const store = (owner: Parameters<typeof agents.create>[1], instructions: string) =>
    agents.create(service.deps, owner, { name: 'triage', instructions });
  const provider = await store({ scope: 'provider' }, 'all');
  expect(await get()).toMatchObject({ instructions: 'all', scope: 'provider' });
  const team = await store({ scope: 'organisation', organisationId }, 'team');
  expect(await get()).toMatchObject({ instructions: 'team' });
  expect((await patch({ instructions: 'mine' })).status).toBe(404);
  await agents.update(service.deps, 'operator', team.row.id, { enabled: false });
  expect(await get()).toMatchObject({ instructions: 'all' });
  await post({ instructions: 'mine' });
  await patch({ enabled: false });
  expect(await get()).toMatchObject({ instructions: 'mine', enabled: false });
  expect((await caller.send('DELETE', `${path}/triage`)).status).toBe(204);
  expect(await get()).toMatchObject({ instructions: 'all' });
  await agents.remove(service.deps, 'operator', provider.row.id);
});

test('skills and agents of one name and owner are nothing to each other', async () => {
  await post({ instructions: 'an agent' });
  const { accountId } = caller;
  const { createSkill, listOwnedSkills } = await import('@errand/skills');
  await createSkill(service.deps, { scope: 'user', accountId }, { name: 'triage', instructions: 'a skill' });
  expect(await get()).toMatchObject({ instructions: 'an agent' });
  expect(await caller.list()).toHaveLength(1);
  expect(await listOwnedSkills(service.deps, { scope: 'user', accountId })).toHaveLength(1);
  expect((await caller.send('DELETE', `${path}/triage`)).status).toBe(204);
  expect(await listOwnedSkills(service.deps, { scope: 'user', accountId })).toHaveLength(1);
});
