import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createSkill, resolveSkill } from '@errand/skills';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Caller, type SkillService, startSkillService } from './support.ts';

let service: SkillService;
let caller: Caller;
beforeAll(async () => {
  service = await startSkillService();
});
beforeEach(async () => {
  caller = await service.newCaller({ organisation: true });
});
afterAll(() => service.close());

const remove = (id: string, headers = {}) => caller.send('DELETE', `/v1/skills/${id}`, { headers });

describe('DELETE /v1/skills/{id} 204', () => {
  test('nothing is left of a deleted skill: not in the list, not by id, not by name, no pinned version, no item', async () => {
    const { id } = await caller.create({ name: 'gone', instructions: 'one' });
    await caller.send('PATCH', `/v1/skills/${id}`, { body: { instructions: 'two' } });
    const answer = await remove(id);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await caller.send('GET', '/v1/skills')).text).toBe('{"skills":[]}');
    for (const path of [id, `${id}/versions`, `${id}/versions/1`])
      expect((await caller.send('GET', `/v1/skills/${path}`)).status).toBe(404);
    for (const field of ['gone', { name: 'gone', version: 1 }])
      await expect(resolveSkill(service.deps, caller, field)).rejects.toMatchObject({
        code: 'skill_unresolved',
        details: { reason: 'unknown' },
      });
    expect((await remove(id)).status).toBe(404);
    const { dynamodb, tables } = service.deps;
    const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: tables.skills }));
    expect(Items.filter((item) => JSON.stringify(item).includes(id))).toEqual([]);
  });

  test('a later skill of that name has another id and begins at version 1', async () => {
    const first = await caller.create({ name: 'again', instructions: 'one' });
    await caller.send('PATCH', `/v1/skills/${first.id}`, { body: { instructions: 'two' } });
    await remove(first.id);
    const second = await caller.create({ name: 'again', instructions: 'three' });
    expect(second.id).not.toBe(first.id);
    expect(second.version).toBe(1);
    const pinned = resolveSkill(service.deps, caller, { name: 'again', version: 2 });
    await expect(pinned).rejects.toMatchObject({ details: { reason: 'unknown_version' } });
  });

  test('a body is ignored', async () => {
    const { id } = await caller.create({ name: 'bodied', instructions: 'x' });
    expect((await caller.send('DELETE', `/v1/skills/${id}`, { text: '{' })).status).toBe(204);
  });
});

test("DELETE /v1/skills/{id} 404: unknown ids, another account's, the organisation's and the provider's skills", async () => {
  const other = await (await service.newCaller()).create({ name: 'kept', instructions: 'x' });
  const { organisationId } = caller;
  if (organisationId === undefined) throw new Error('the caller has no organisation');
  const input = { name: 'kept', instructions: 'x' };
  const team = await createSkill(service.deps, { scope: 'organisation', organisationId }, input);
  const provider = await createSkill(service.deps, { scope: 'provider' }, input);
  for (const id of [`skill_${'0'.repeat(20)}`, 'x', other.id, team.row.id, provider.row.id]) {
    const answer = await remove(id);
    expect([answer.status, answer.text]).toEqual([404, 'Skill not found']);
  }
  expect(await resolveSkill(service.deps, caller, 'kept')).toBeDefined();
});

test('DELETE /v1/skills/{id} 412: a stale tag keeps the skill', async () => {
  const { id } = await caller.create({ name: 'tagged', instructions: 'x' });
  expect((await remove(id, { 'If-Match': '"7"' })).status).toBe(412);
  expect((await remove(id, { 'If-Match': '"1"' })).status).toBe(204);
});
