import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kinds } from './kinds.ts';
import { type Caller, type NamedService, startService } from './support.ts';

describe.each(kinds)('$noun', (kind) => {
  let service: NamedService;
  beforeAll(async () => {
    service = await startService(kind, { providerScope: 'acme' });
  });
  afterAll(() => service.close());

  const notFound = [404, `${kind.title} not found`];

  const forOrganisation = ({ organisationId }: Caller) => {
    if (organisationId === undefined) throw new Error('the caller has no organisation');
    return { scope: 'organisation', organisationId } as const;
  };

  const disable = (id: string) => kind.update(service.deps, 'operator', id, { enabled: false });

  const createMany = (count: number, create: (name: string) => Promise<unknown>) =>
    Promise.all(Array.from({ length: count }, (_, i) => create(`thing-${i}`)));

  describe(`GET ${kind.path} 200`, () => {
    test('shows the own ones, and the enabled ones of the organisation and the provider, by name, without instructions', async () => {
      const caller = await service.newCaller({ organisation: true });
      const stranger = await service.newCaller({ organisation: true });
      await caller.create({ name: 'shared', instructions: 'mine' });
      await caller.create({ name: 'zebra', instructions: 'x' });
      await caller.create({ name: 'Alpha', description: 'd', instructions: 'x' });
      const { id } = await caller.create({ name: 'off', instructions: 'x' });
      await disable(id);
      await stranger.create({ name: 'foreign', instructions: 'x' });
      const team = forOrganisation(caller);
      await kind.create(service.deps, team, { name: 'shared', instructions: 'team' });
      const off = await kind.create(service.deps, team, { name: 'team-off', instructions: 'x' });
      await disable(off.row.id);
      await kind.create(service.deps, forOrganisation(stranger), { name: 'other-team', instructions: 'x' });
      await kind.create(service.deps, { scope: 'provider' }, { name: 'shared', instructions: 'all' });
      await kind.importUnversioned(service.deps, { scope: 'provider' }, { name: 'old', instructions: 'x' });

      const things = await caller.list();
      expect(things.map(({ name, scope, enabled, version }) => [name, scope, enabled, version])).toEqual([
        ['Alpha', 'user', true, 1],
        ['off', 'user', false, 1],
        ['old', 'acme', true, null],
        ['shared', 'user', true, 1],
        ['shared', 'organisation', true, 1],
        ['shared', 'acme', true, 1],
        ['zebra', 'user', true, 1],
      ]);
      expect(Object.keys(things[0]!)).toEqual(kind.listedKeys);
    });

    test('a caller who sees none gets an empty list, in at most two requests besides the key and the rate', async () => {
      const fresh = await startService(kind);
      const caller = await fresh.newCaller();
      expect(await caller.list()).toEqual([]);
      const before = fresh.dynamo.requests();
      await caller.list();
      expect(fresh.dynamo.requests() - before).toBeLessThanOrEqual(2 + 2);
      await fresh.close();
    });

    test('two hundred of the longest instructions are listed in at most three requests', async () => {
      const caller = await service.newCaller({ organisation: true });
      const owner = { scope: 'user', accountId: caller.accountId } as const;
      const instructions = 'word '.repeat(4_000);
      for (let i = 0; i < 200; i++)
        await kind.create(service.deps, owner, { name: `skill-${i}`, instructions });
      await caller.list();
      const before = service.dynamo.requests();
      const own = (await caller.list()).filter(({ scope }) => scope === 'user');
      expect(service.dynamo.requests() - before).toBeLessThanOrEqual(2 + 3);
      expect(own.map(({ name }) => name)).toEqual(own.map(({ name }) => name).sort());
      expect(own).toHaveLength(200);
    });

    test('a list longer than a page of the table is whole', async () => {
      const caller = await service.newCaller();
      const owner = { scope: 'user', accountId: caller.accountId } as const;
      const description = '🙂'.repeat(500);
      await createMany(600, (name) =>
        kind.create(service.deps, owner, { name, description, instructions: 'x' }),
      );
      expect((await caller.list()).filter(({ scope }) => scope === 'user')).toHaveLength(600);
    });
  });

  describe(`GET ${kind.path}/{id}`, () => {
    test('200: instructions and all, in the order of the documented fields', async () => {
      const caller = await service.newCaller();
      const created = await caller.create({ name: 'one', description: 'd', instructions: 'Be one.' });
      const answer = await caller.send('GET', `${kind.path}/${kind.at(created)}`);
      expect(answer.status).toBe(200);
      expect(answer.json()).toEqual(created);
      expect(answer.headers.get('ETag')).toBe(`"1-${created.id}"`);
    });

    test('200: enabled ones of the organisation and the provider', async () => {
      const caller = await service.newCaller({ organisation: true });
      const team = await kind.create(service.deps, forOrganisation(caller), {
        name: 'get-team',
        instructions: 'T',
      });
      const all = await kind.create(
        service.deps,
        { scope: 'provider' },
        { name: 'get-all', instructions: 'A' },
      );
      for (const [{ row }, scope] of [
        [team, 'organisation'],
        [all, 'acme'],
      ] as const)
        expect((await caller.send('GET', `${kind.path}/${kind.at(row)}`)).json()).toMatchObject({
          id: row.id,
          scope,
        });
    });

    test('404: what nothing is called, of any form', async () => {
      const caller = await service.newCaller();
      for (const id of [
        `${kind.noun}_${'0'.repeat(20)}`,
        'x',
        '%00',
        'a'.repeat(3_000),
        '..%2f..',
        `${kind.noun}_%F0%9F%99%82`,
      ])
        expect([id, ...Object.values(await statusAndText(caller, id))]).toEqual([id, ...notFound]);
    });

    test("404: another account's, another organisation's, and a disabled one of the caller's organisation", async () => {
      const caller = await service.newCaller({ organisation: true });
      const other = await service.newCaller({ organisation: true });
      const foreign = await other.create({ name: 'foreign', instructions: 'x' });
      const team = await kind.create(service.deps, forOrganisation(other), {
        name: 'foreign',
        instructions: 'x',
      });
      const off = await kind.create(service.deps, forOrganisation(caller), {
        name: 'off',
        instructions: 'x',
      });
      await disable(off.row.id);
      for (const thing of [foreign, team.row, off.row])
        expect(Object.values(await statusAndText(caller, kind.at(thing)))).toEqual(notFound);
    });

    test('304 for a caller who has it already', async () => {
      const caller = await service.newCaller();
      const fresh = await caller.create({ name: 'fresh', instructions: 'x' });
      const { id } = fresh;
      const get = (headers: Record<string, string>) =>
        caller.send('GET', `${kind.path}/${kind.at(fresh)}`, { headers });
      for (const tag of [`"1-${id}"`, `W/"1-${id}"`, `"0", "1-${id}"`, '*']) {
        const answer = await get({ 'If-None-Match': tag });
        expect([tag, answer.status, answer.text]).toEqual([tag, 304, '']);
      }
      expect((await get({ 'If-None-Match': `"2-${id}"` })).status).toBe(200);
    });
  });

  async function statusAndText(caller: Caller, at: string) {
    const { status, text } = await caller.send('GET', `${kind.path}/${at}`);
    return { status, text };
  }
});
