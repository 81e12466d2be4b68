import { createSkill, importUnversionedSkill, type SkillSummary, updateSkill } from '@errand/skills';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, type SkillService, startSkillService } from './support.ts';

let service: SkillService;
beforeAll(async () => {
  service = await startSkillService({ providerScope: 'acme' });
});
afterAll(() => service.close());

const notFound = [404, 'Skill not found'];

async function list(caller: Caller): Promise<SkillSummary[]> {
  const answer = await caller.send('GET', '/v1/skills');
  expect(answer.status).toBe(200);
  return answer.json<{ skills: SkillSummary[] }>().skills;
}

const forOrganisation = ({ organisationId }: Caller) => {
  if (organisationId === undefined) throw new Error('the caller has no organisation');
  return { scope: 'organisation', organisationId } as const;
};

const disable = (id: string) => updateSkill(service.deps, 'operator', id, { enabled: false });

const createMany = (count: number, create: (name: string) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, i) => create(`skill-${i}`)));

describe('GET /v1/skills 200', () => {
  test('shows own skills, and the enabled ones of the organisation and the provider, by name, without instructions', async () => {
    const caller = await service.newCaller({ organisation: true });
    const stranger = await service.newCaller({ organisation: true });
    await caller.create({ name: 'shared', instructions: 'mine' });
    await caller.create({ name: 'zebra', instructions: 'x' });
    await caller.create({ name: 'Alpha', description: 'd', instructions: 'x' });
    const { id } = await caller.create({ name: 'off', instructions: 'x' });
    await disable(id);
    await stranger.create({ name: 'foreign', instructions: 'x' });
    const team = forOrganisation(caller);
    await createSkill(service.deps, team, { name: 'shared', instructions: 'team' });
    const off = await createSkill(service.deps, team, { name: 'team-off', instructions: 'x' });
    await disable(off.row.id);
    await createSkill(service.deps, forOrganisation(stranger), { name: 'other-team', instructions: 'x' });
    await createSkill(service.deps, { scope: 'provider' }, { name: 'shared', instructions: 'all' });
    await importUnversionedSkill(service.deps, { scope: 'provider' }, { name: 'old', instructions: 'x' });

    const skills = await list(caller);
    expect(skills.map(({ name, scope, enabled, version }) => [name, scope, enabled, version])).toEqual([
      ['Alpha', 'user', true, 1],
      ['off', 'user', false, 1],
      ['old', 'acme', true, null],
      ['shared', 'user', true, 1],
      ['shared', 'organisation', true, 1],
      ['shared', 'acme', true, 1],
      ['zebra', 'user', true, 1],
    ]);
    expect(Object.keys(skills[0]!)).toEqual([
      'id',
      'name',
      'description',
      'enabled',
      'scope',
      'version',
      'createdAt',
      'updatedAt',
    ]);
  });

  test('a caller who sees no skill gets an empty list, in at most two requests besides the key and the rate', async () => {
    const fresh = await startSkillService();
    const caller = await fresh.newCaller();
    expect(await list(caller)).toEqual([]);
    const before = fresh.dynamo.requests();
    await list(caller);
    expect(fresh.dynamo.requests() - before).toBeLessThanOrEqual(2 + 2);
    await fresh.close();
  });

  test('two hundred skills of the longest instructions are listed in at most three requests', async () => {
    const caller = await service.newCaller({ organisation: true });
    const owner = { scope: 'user', accountId: caller.accountId } as const;
    const instructions = 'word '.repeat(4_000);
    for (let i = 0; i < 200; i++)
      await createSkill(service.deps, owner, { name: `skill-${i}`, instructions });
    await list(caller);
    const before = service.dynamo.requests();
    const own = (await list(caller)).filter(({ scope }) => scope === 'user');
    expect(service.dynamo.requests() - before).toBeLessThanOrEqual(2 + 3);
    expect(own.map(({ name }) => name)).toEqual(own.map(({ name }) => name).sort());
    expect(own).toHaveLength(200);
  });

  test('a list longer than a page of the table is whole', async () => {
    const caller = await service.newCaller();
    const owner = { scope: 'user', accountId: caller.accountId } as const;
    const description = '🙂'.repeat(500);
    await createMany(600, (name) =>
      createSkill(service.deps, owner, { name, description, instructions: 'x' }),
    );
    expect((await list(caller)).filter(({ scope }) => scope === 'user')).toHaveLength(600);
  });
});

describe('GET /v1/skills/{id}', () => {
  test('200: instructions and all, in the order of the documented fields', async () => {
    const caller = await service.newCaller();
    const created = await caller.create({ name: 'one', description: 'd', instructions: 'Be one.' });
    const answer = await caller.send('GET', `/v1/skills/${created.id}`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual(created);
    expect(answer.headers.get('ETag')).toBe(`"1-${created.id}"`);
    expect(answer.headers.get('Vary')).toContain('Accept');
  });

  test('200: enabled skills of the organisation and the provider', async () => {
    const caller = await service.newCaller({ organisation: true });
    const team = await createSkill(service.deps, forOrganisation(caller), {
      name: 'get-team',
      instructions: 'T',
    });
    const all = await createSkill(
      service.deps,
      { scope: 'provider' },
      { name: 'get-all', instructions: 'A' },
    );
    for (const [{ row }, scope] of [
      [team, 'organisation'],
      [all, 'acme'],
    ] as const)
      expect((await caller.send('GET', `/v1/skills/${row.id}`)).json()).toMatchObject({ id: row.id, scope });
  });

  test('404: ids that no skill has, of any form', async () => {
    const caller = await service.newCaller();
    for (const id of [
      `skill_${'0'.repeat(20)}`,
      'x',
      '%00',
      'a'.repeat(3_000),
      '..%2f..',
      'skill_%F0%9F%99%82',
    ])
      expect([id, ...Object.values(await statusAndText(caller, id))]).toEqual([id, ...notFound]);
  });

  test("404: another account's skill, another organisation's, and a disabled one of the caller's organisation", async () => {
    const caller = await service.newCaller({ organisation: true });
    const other = await service.newCaller({ organisation: true });
    const foreign = await other.create({ name: 'foreign', instructions: 'x' });
    const team = await createSkill(service.deps, forOrganisation(other), {
      name: 'foreign',
      instructions: 'x',
    });
    const off = await createSkill(service.deps, forOrganisation(caller), { name: 'off', instructions: 'x' });
    await disable(off.row.id);
    for (const id of [foreign.id, team.row.id, off.row.id])
      expect(Object.values(await statusAndText(caller, id))).toEqual(notFound);
  });

  test('304 for a caller who has the skill already; markdown and JSON have different tags', async () => {
    const caller = await service.newCaller();
    const { id } = await caller.create({ name: 'fresh', instructions: 'x' });
    const get = (headers: Record<string, string>) => caller.send('GET', `/v1/skills/${id}`, { headers });
    for (const tag of [`"1-${id}"`, `W/"1-${id}"`, `"0", "1-${id}"`, '*']) {
      const answer = await get({ 'If-None-Match': tag });
      expect([tag, answer.status, answer.text]).toEqual([tag, 304, '']);
    }
    expect((await get({ 'If-None-Match': `"2-${id}"` })).status).toBe(200);
    expect((await get({ 'If-None-Match': `"1-${id}"`, Accept: 'text/markdown' })).status).toBe(200);
    expect((await get({ 'If-None-Match': `"1-${id}-markdown"`, Accept: 'text/markdown' })).status).toBe(304);
  });

  test('Accept decides the form by its quality values', async () => {
    const caller = await service.newCaller();
    const { id } = await caller.create({ name: 'formed', instructions: 'Do.' });
    const typeFor = async (Accept: string) =>
      (await caller.send('GET', `/v1/skills/${id}`, { headers: { Accept } })).headers.get('Content-Type');
    expect(await typeFor('text/markdown')).toMatch(/^text\/markdown/);
    expect(await typeFor('application/json;q=0.5, text/markdown')).toMatch(/^text\/markdown/);
    expect(await typeFor('text/markdown;q=0.5, application/json')).toMatch(/^application\/json/);
    expect(await typeFor('*/*')).toMatch(/^application\/json/);
  });
});

async function statusAndText(caller: Caller, id: string) {
  const { status, text } = await caller.send('GET', `/v1/skills/${id}`);
  return { status, text };
}
