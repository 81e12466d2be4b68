import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Detail, kinds } from './kinds.ts';
import { type Caller, type NamedService, startService } from './support.ts';

describe.each(kinds)('$noun', (kind) => {
  let service: NamedService;
  let caller: Caller;
  beforeAll(async () => {
    service = await startService(kind);
  });
  beforeEach(async () => {
    caller = await service.newCaller({ organisation: true });
  });
  afterAll(() => service.close());

  const pathOf = (thing: Pick<Detail, 'id' | 'name'>) => `${kind.path}/${kind.at(thing)}`;
  const remove = (thing: Pick<Detail, 'id' | 'name'>, headers = {}) =>
    caller.send('DELETE', pathOf(thing), { headers });

  describe(`DELETE ${kind.path}/{id} 204`, () => {
    test('nothing is left of a deleted one: not in the list, not by id, not by name, no pinned version, no item', async () => {
      const gone = await caller.create({ name: 'gone', instructions: 'one' });
      await caller.send('PATCH', pathOf(gone), { body: { instructions: 'two' } });
      const answer = await remove(gone);
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(await caller.list()).toEqual([]);
      for (const rest of ['', '/versions', '/versions/1'])
        expect((await caller.send('GET', pathOf(gone) + rest)).status).toBe(404);
      for (const field of ['gone', { name: 'gone', version: 1 }])
        await expect(kind.resolve(service.deps, caller, field)).rejects.toMatchObject({
          code: `${kind.noun}_unresolved`,
          details: { reason: 'unknown' },
        });
      expect((await remove(gone)).status).toBe(404);
      const { dynamodb, tables } = service.deps;
      const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: tables.skills }));
      expect(Items.filter((item) => JSON.stringify(item).includes(gone.id))).toEqual([]);
    });

    test('a later one of that name has another id and begins at version 1', async () => {
      const first = await caller.create({ name: 'again', instructions: 'one' });
      await caller.send('PATCH', pathOf(first), { body: { instructions: 'two' } });
      await remove(first);
      const second = await caller.create({ name: 'again', instructions: 'three' });
      expect(second.id).not.toBe(first.id);
      expect(second.version).toBe(1);
      const pinned = kind.resolve(service.deps, caller, { name: 'again', version: 2 });
      await expect(pinned).rejects.toMatchObject({ details: { reason: 'unknown_version' } });
    });

    test('a body is ignored', async () => {
      const bodied = await caller.create({ name: 'bodied', instructions: 'x' });
      expect((await caller.send('DELETE', pathOf(bodied), { text: '{' })).status).toBe(204);
    });
  });

  test(`DELETE ${kind.path}/{id} 404: unknown ones, another account's, the organisation's and the provider's`, async () => {
    const other = await (await service.newCaller()).create({ name: 'kept', instructions: 'x' });
    const { organisationId } = caller;
    if (organisationId === undefined) throw new Error('the caller has no organisation');
    const input = { name: 'kept', instructions: 'x' };
    const team = await kind.create(service.deps, { scope: 'organisation', organisationId }, input);
    const provider = await kind.create(service.deps, { scope: 'provider' }, input);
    const unknown = [`${kind.noun}_${'0'.repeat(20)}`, 'x'].map((at) => ({ id: at, name: at }));
    for (const thing of [...unknown, other, team.row, provider.row]) {
      const answer = await remove(thing);
      expect([answer.status, answer.text]).toEqual([404, `${kind.title} not found`]);
    }
    expect(await kind.resolve(service.deps, caller, 'kept')).toBeDefined();
  });

  test(`DELETE ${kind.path}/{id} 412: a stale tag deletes nothing`, async () => {
    const tagged = await caller.create({ name: 'tagged', instructions: 'x' });
    expect((await remove(tagged, { 'If-Match': '"7"' })).status).toBe(412);
    expect((await remove(tagged, { 'If-Match': '"1"' })).status).toBe(204);
  });
});
