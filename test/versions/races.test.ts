import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectNothingLeftOver, expectWhole, scanTable } from './invariants.ts';
import { type Detail, kinds } from './kinds.ts';
import { type Answer, type Caller, type NamedService, startService } from './support.ts';

describe.each(kinds)('$noun', (kind) => {
  let service: NamedService;
  let caller: Caller;
  beforeAll(async () => {
    service = await startService(kind);
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
  const pathOf = (thing: Pick<Detail, 'id' | 'name'>) => `${kind.path}/${kind.at(thing)}`;

  test('50 simultaneous creates of one name: one 201, 49 times 409, one of them there', async () => {
    const answers = await atOnce(50, (i) =>
      caller.send('POST', kind.path, { body: { name: 'contested', instructions: `by ${i}` } }),
    );
    expect(statuses(answers)).toEqual({ 201: 1, 409: 49 });
    const winner = answers.find(({ status }) => status === 201)!.json();
    expect((await caller.send('GET', pathOf(winner))).json()).toEqual(winner);
    await expectNothingLeftOver(kind, service.deps);
    const mine = (await scanTable(service.deps)).filter(({ owner }) => owner === `user#${caller.accountId}`);
    expect(mine).toHaveLength(2);
  });

  test('50 simultaneous PATCHes of the instructions: versions 2 to 51, each with the bytes of its own', async () => {
    const thing = await caller.create({ name: 'edited', instructions: 'first' });
    const answers = await atOnce(50, (i) =>
      caller.send('PATCH', pathOf(thing), { body: { instructions: `edit ${i}` } }),
    );
    expect(statuses(answers)).toEqual({ 200: 50 });
    const published = answers.map((answer) => answer.json()).sort((a, b) => a.version! - b.version!);
    expect(published.map(({ version }) => version)).toEqual(Array.from({ length: 50 }, (_, i) => i + 2));
    for (const { version, instructions } of published) {
      const stored = await caller.send('GET', `${pathOf(thing)}/versions/${version}`);
      expect(stored.json().instructions).toBe(instructions);
    }
    expect((await caller.send('GET', pathOf(thing))).json()).toEqual(published.at(-1));
    await expectNothingLeftOver(kind, service.deps);
  });

  test('50 simultaneous PATCHes with one If-Match: one 200, 49 times 412, one new version', async () => {
    const thing = await caller.create({ name: 'guarded', instructions: 'first' });
    const answers = await atOnce(50, (i) =>
      caller.send('PATCH', pathOf(thing), {
        body: { instructions: `edit ${i}` },
        headers: { 'If-Match': '"1"' },
      }),
    );
    expect(statuses(answers)).toEqual({ 200: 1, 412: 49 });
    expect((await caller.send('GET', pathOf(thing))).json().version).toBe(2);
  });

  test('simultaneous PATCHes of different fields lose none of them', async () => {
    const thing = await caller.create({ name: 'fields', instructions: 'first' });
    const bodies = [
      { description: 'told' },
      { instructions: 'second' },
      { enabled: false },
      // Who names it by its name finds nothing once it has another.
      ...(kind.isNamed ? [] : [{ name: 'renamed' }]),
    ];
    await atOnce(bodies.length, (i) => caller.send('PATCH', pathOf(thing), { body: bodies[i] }));
    const whole = Object.assign({}, ...bodies);
    expect((await caller.send('GET', pathOf(thing))).json()).toMatchObject({ ...whole, version: 2 });
  });

  test('20 renamed to one name at once: one 200, 19 times 409, all 20 still there', async () => {
    const things = await Promise.all(
      Array.from({ length: 20 }, (_, i) => caller.create({ name: `s${i}`, instructions: 'x' })),
    );
    const answers = await atOnce(20, (i) =>
      caller.send('PATCH', pathOf(things[i]!), { body: { name: 'one' } }),
    );
    expect(statuses(answers)).toEqual({ 200: 1, 409: 19 });
    expect(await caller.list()).toHaveLength(20);
    await expectNothingLeftOver(kind, service.deps);
  });

  test("one renamed to one name 20 times at once: its own new name is in nobody's way", async () => {
    const thing = await caller.create({ name: 'before', instructions: 'x' });
    const answers = await atOnce(20, () => caller.send('PATCH', pathOf(thing), { body: { name: 'after' } }));
    const { 200: renamed = 0, 404: late = 0 } = statuses(answers);
    expect([renamed + late, renamed > 0, late > 0 && !kind.isNamed]).toEqual([20, true, false]);
    await expectNothingLeftOver(kind, service.deps);
  });

  test('20 simultaneous deletes: one 204, 19 times 404', async () => {
    const thing = await caller.create({ name: 'doomed', instructions: 'x' });
    expect(statuses(await atOnce(20, () => caller.send('DELETE', pathOf(thing))))).toEqual({
      204: 1,
      404: 19,
    });
    await expectNothingLeftOver(kind, service.deps);
  });

  test('edits that meet a delete are published before the delete or find nothing, and nothing of it comes back', async () => {
    for (let round = 0; round < 5; round++) {
      const thing = await caller.create({ name: 'meeting', instructions: 'x' });
      const answers = await atOnce(20, (i) =>
        i === 10
          ? caller.send('DELETE', pathOf(thing))
          : caller.send('PATCH', pathOf(thing), { body: { instructions: `edit ${i}` } }),
      );
      expect(answers[10]!.status).toBe(204);
      expect(answers.every(({ status }) => [200, 204, 404].includes(status))).toBe(true);
      expect((await caller.send('GET', pathOf(thing))).status).toBe(404);
      await expectWhole(kind, service.deps);
    }
    await expectNothingLeftOver(kind, service.deps);
  });

  test('creates and deletes of one name by turns, all at once, leave whole things', async () => {
    const once = async (i: number): Promise<Answer> => {
      const body = { name: 'turns', instructions: `by ${i}` };
      const created = await caller.send('POST', kind.path, { body });
      return created.status === 201 ? caller.send('DELETE', pathOf(created.json())) : created;
    };
    const answers = await atOnce(30, once);
    expect(answers.every(({ status }) => [204, 409].includes(status))).toBe(true);
    expect(await caller.list()).toEqual([]);
    await expectNothingLeftOver(kind, service.deps);
  });
});
