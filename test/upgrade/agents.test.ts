import { sha256Hex } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Caller, type EntryView, toNanoEuro } from './support/caller.ts';
import { type HeldAgents, readManifest } from './support/manifest.ts';
import { labelOf, nanoEuroOf } from './support/models.ts';
import { startUpgraded, type Upgraded, upgrades } from './support/upgraded.ts';

const withAgents = upgrades.filter(({ release }) => readManifest(release).agents);

describe.each(withAgents)('agents of the release $release, kept in a $home', (upgrade) => {
  let upgraded: Upgraded;
  let held: HeldAgents;
  let caller: Caller;

  beforeAll(async () => {
    upgraded = await startUpgraded(upgrade);
    held = upgraded.manifest.agents!;
    caller = upgraded.call(held.key);
  });
  afterAll(() => upgraded.stop());

  const asked = (label: string) =>
    upgraded.models.provider.requests.filter((each) => labelOf(each) === label);

  test('a stored agent has all of its versions', async () => {
    const { name, instructions } = held.agent;
    const path = `/v1/agents/${name}`;
    const { versions } = await caller.read<{ versions: { number: number; digest: string }[] }>(
      `${path}/versions`,
    );
    expect(versions.map(({ number }) => number)).toEqual([2, 1]);
    for (const { number, digest } of versions) {
      const {
        number: _,
        digest: __,
        createdAt: ___,
        ...definition
      } = await caller.read<Record<string, unknown>>(`${path}/versions/${number}`);
      expect(definition).toMatchObject({ instructions: instructions[number], effort: 'high' });
      expect(digest).toBe(sha256Hex(JSON.stringify(definition)));
    }
    expect(await caller.read(path)).toMatchObject({ version: 2, instructions: instructions['2'] });
  });

  test('a run that had sub-runs, and these, are read and replayed as before', async () => {
    for (const { run, events } of [held.investigated, ...held.subRuns]) {
      expect(await caller.run(run.agentId)).toMatchObject(run);
      expect(await caller.follow(run.agentId)).toMatchObject(events);
    }
    const subRuns = await caller.subRuns(held.investigated.run.agentId);
    expect(subRuns.map(({ agentId }) => agentId)).toEqual(held.subRuns.map(({ run }) => run.agentId));
  });

  test('a run that follows has the version of the agent that the run before had', async () => {
    const previousRunId = held.investigated.run.agentId;
    const question = 'And tomorrow? [follows]';
    const agentId = await caller.start({ question, previousRunId });
    expect((await caller.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
    expect(await caller.run(agentId)).toMatchObject({ agent: { name: held.agent.name, version: 1 } });
    const sent = upgraded.models.provider.requests.map(({ messages }) => JSON.stringify(messages));
    expect(sent.find((text) => text.includes(question))).toContain(held.agent.instructions['1']);
  });

  test('a run that waited for one of its sub-runs goes on to its end, and each answer of a model is charged once', async () => {
    const { agentId, events: before } = held.divided;
    const events = await caller.follow(agentId);
    expect(events.slice(0, before.length)).toMatchObject(before);
    expect(events.filter(({ type }) => type === 'done')).toMatchObject([
      { finalText: 'Warm in the east, cold in the west.' },
    ]);
    const subRuns = await caller.subRuns(agentId);
    expect(subRuns.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect([asked('east'), asked('west').length > 0]).toEqual([[], true]);
    const ids = [agentId, ...subRuns.map((run) => run.agentId)];
    const { usage } = await caller.run(agentId);
    const spent = toNanoEuro(usage.credits);
    expect(spent % nanoEuroOf.completion).toBe(0);
    // The last charge is written in its own time.
    await eventually(async () => {
      const { entries } = await caller.read<{ entries: EntryView[] }>('/v1/credits?limit=100');
      const charged = entries.filter(({ runId }) => ids.includes(String(runId)));
      return charged.reduce((sum, { amount }) => sum - toNanoEuro(amount), 0);
    }).toBe(spent);
  });

  test('a schedule has the run that it had started, and makes up for the instant that it missed', async () => {
    const { id, asked: fields, dueAt, started } = held.schedule;
    type Shown = { outcomes: { at: string; agentId: string }[] };
    const read = () => caller.read<Shown>(`/v1/schedules/${id}`);
    await eventually(read).toMatchObject({
      ...{ ...fields, stopped: { reason: 'until' } },
      outcomes: [{ at: dueAt }, { agentId: started, manual: true, status: 'succeeded' }],
    });
    const { agentId } = (await read()).outcomes[0]!;
    expect((await caller.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
    expect(await caller.run(agentId)).toMatchObject({ scheduleId: id, agent: { name: held.agent.name } });
    const sent = asked('due').map(({ messages }) => JSON.stringify(messages));
    expect(sent.length).toBeGreaterThan(0);
    for (const text of sent) expect(text).toContain(held.agent.instructions['2']);
  });

  test('a next version of the agent follows its last one', async () => {
    const path = `/v1/agents/${held.agent.name}`;
    expect(await caller.patch(path, { instructions: 'Answer in verse.' })).toMatchObject({ version: 3 });
  });

  test('the books agree', async () => {
    // The last charge is written in its own time.
    await eventually(() => upgraded.problems()).toEqual([]);
  });
});
