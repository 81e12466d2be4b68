import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectNothingLeftOver, expectWholeSkills, scanSkills } from './invariants.ts';
import { type Answer, type Caller, type SkillService, startSkillService } from './support.ts';

let service: SkillService;
let caller: Caller;
beforeAll(async () => {
  service = await startSkillService();
});
beforeEach(async () => {
  caller = await service.newCaller();
});
afterAll(() => service.close());

const atOnce = (count: number, send: (i: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, i) => send(i)));
const statuses = (answers: readonly Answer[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const skill = (id: string) => `/v1/skills/${id}`;

test('50 simultaneous creates of one name: one 201, 49 times 409, one skill', async () => {
  const answers = await atOnce(50, (i) =>
    caller.send('POST', '/v1/skills', { body: { name: 'contested', instructions: `by ${i}` } }),
  );
  expect(statuses(answers)).toEqual({ 201: 1, 409: 49 });
  const winner = answers.find(({ status }) => status === 201)!.json();
  expect((await caller.send('GET', skill(winner.id))).json()).toEqual(winner);
  await expectNothingLeftOver(service.deps);
  const mine = (await scanSkills(service.deps)).filter(({ owner }) => owner === `user#${caller.accountId}`);
  expect(mine).toHaveLength(2);
});

test('50 simultaneous PATCHes of the instructions: versions 2 to 51, each with the bytes of its own', async () => {
  const { id } = await caller.create({ name: 'edited', instructions: 'first' });
  const answers = await atOnce(50, (i) =>
    caller.send('PATCH', skill(id), { body: { instructions: `edit ${i}` } }),
  );
  expect(statuses(answers)).toEqual({ 200: 50 });
  const published = answers.map((answer) => answer.json()).sort((a, b) => a.version! - b.version!);
  expect(published.map(({ version }) => version)).toEqual(Array.from({ length: 50 }, (_, i) => i + 2));
  for (const { version, instructions } of published) {
    const stored = await caller.send('GET', `${skill(id)}/versions/${version}`);
    expect(stored.json().instructions).toBe(instructions);
  }
  expect((await caller.send('GET', skill(id))).json()).toEqual(published.at(-1));
  await expectNothingLeftOver(service.deps);
});

test('50 simultaneous PATCHes with one If-Match: one 200, 49 times 412, one new version', async () => {
  const { id } = await caller.create({ name: 'guarded', instructions: 'first' });
  const answers = await atOnce(50, (i) =>
    caller.send('PATCH', skill(id), { body: { instructions: `edit ${i}` }, headers: { 'If-Match': '"1"' } }),
  );
  expect(statuses(answers)).toEqual({ 200: 1, 412: 49 });
  expect((await caller.send('GET', skill(id))).json().version).toBe(2);
});

test('simultaneous PATCHes of different fields lose none of them', async () => {
  const { id } = await caller.create({ name: 'fields', instructions: 'first' });
  await atOnce(4, (i) => {
    const bodies = [
      { name: 'renamed' },
      { description: 'told' },
      { instructions: 'second' },
      { enabled: false },
    ];
    return caller.send('PATCH', skill(id), { body: bodies[i] });
  });
  expect((await caller.send('GET', skill(id))).json()).toMatchObject({
    name: 'renamed',
    description: 'told',
    instructions: 'second',
    enabled: false,
    version: 2,
  });
});

test('20 skills renamed to one name at once: one 200, 19 times 409, all 20 still there', async () => {
  const ids = await Promise.all(
    Array.from(
      { length: 20 },
      async (_, i) => (await caller.create({ name: `s${i}`, instructions: 'x' })).id,
    ),
  );
  const answers = await atOnce(20, (i) => caller.send('PATCH', skill(ids[i]!), { body: { name: 'one' } }));
  expect(statuses(answers)).toEqual({ 200: 1, 409: 19 });
  expect((await caller.send('GET', '/v1/skills')).json<{ skills: unknown[] }>().skills).toHaveLength(20);
  await expectNothingLeftOver(service.deps);
});

test("one skill renamed to one name 20 times at once: its own new name is in nobody's way", async () => {
  const { id } = await caller.create({ name: 'before', instructions: 'x' });
  const answers = await atOnce(20, () => caller.send('PATCH', skill(id), { body: { name: 'after' } }));
  expect(statuses(answers)).toEqual({ 200: 20 });
  await expectNothingLeftOver(service.deps);
});

test('20 simultaneous deletes: one 204, 19 times 404', async () => {
  const { id } = await caller.create({ name: 'doomed', instructions: 'x' });
  expect(statuses(await atOnce(20, () => caller.send('DELETE', skill(id))))).toEqual({ 204: 1, 404: 19 });
  await expectNothingLeftOver(service.deps);
});

test('edits that meet a delete are published before the delete or find nothing, and nothing of the skill comes back', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await caller.create({ name: 'meeting', instructions: 'x' });
    const answers = await atOnce(20, (i) =>
      i === 10
        ? caller.send('DELETE', skill(id))
        : caller.send('PATCH', skill(id), { body: { instructions: `edit ${i}` } }),
    );
    expect(answers[10]!.status).toBe(204);
    expect(answers.every(({ status }) => [200, 204, 404].includes(status))).toBe(true);
    expect((await caller.send('GET', skill(id))).status).toBe(404);
    await expectWholeSkills(service.deps);
  }
  await expectNothingLeftOver(service.deps);
});

test('creates and deletes of one name by turns, all at once, leave whole skills', async () => {
  const once = async (i: number): Promise<Answer> => {
    const body = { name: 'turns', instructions: `by ${i}` };
    const created = await caller.send('POST', '/v1/skills', { body });
    return created.status === 201 ? caller.send('DELETE', skill(created.json().id)) : created;
  };
  const answers = await atOnce(30, once);
  expect(answers.every(({ status }) => [204, 409].includes(status))).toBe(true);
  expect((await caller.send('GET', '/v1/skills')).text).toBe('{"skills":[]}');
  await expectNothingLeftOver(service.deps);
});
