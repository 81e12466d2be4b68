import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type EntryView, toNanoEuro } from './support/caller.ts';
import type { Manifest } from './support/manifest.ts';
import { labelOf, nanoEuroOf, turnOf } from './support/models.ts';
import { startUpgraded, type Upgraded, upgrades } from './support/upgraded.ts';

const finishedRuns = ['finished', 'failed', 'awaiting', 'recording', 'picture'] as const;
const openRuns = ['queued', 'running', 'image', 'waiting'] as const;

describe.each(upgrades)('runs of the release $release, kept in a $home', (upgrade) => {
  let upgraded: Upgraded;
  let manifest: Manifest;

  beforeAll(async () => {
    upgraded = await startUpgraded(upgrade);
    ({ manifest } = upgraded);
  });
  afterAll(() => upgraded.stop());

  const settled = () => upgraded.call(manifest.settled.key);
  const asked = (label: string, model: string) =>
    upgraded.models.provider.requests.filter(
      (request) => request.model === `upstream-${model}` && labelOf(request) === label,
    );

  /** Read once, when all open runs have ended: the operator's command is a process. */
  let metered: Promise<EntryView[]> | undefined;

  /** What was charged for a run that has ended, whoever pays. */
  async function chargesOf(agentId: string): Promise<EntryView[]> {
    const { first, settled: held } = manifest;
    metered ??= upgraded.metered();
    const ledgers = [(await upgraded.call(first.key).credits()).entries, await metered];
    ledgers.push((await upgraded.call(held.key).credits()).entries);
    return ledgers.flat().filter(({ runId }) => runId === agentId);
  }

  test.each(finishedRuns)('the run that was %s is read and replayed as before', async (name) => {
    const { run, events } = manifest.settled.runs[name];
    expect(await settled().run(run.agentId)).toMatchObject(run);
    expect(await settled().events(run.agentId)).toMatchObject(events);
    expect(await settled().follow(run.agentId)).toMatchObject(events);
    expect(await settled().follow(run.agentId, 1)).toMatchObject(events.slice(1));
  });

  test('the runs are listed, newest first', async () => {
    const { runs } = await settled().read<{ runs: object[] }>('/v1/agents/runs');
    expect(runs).toMatchObject(finishedRuns.map((name) => manifest.settled.runs[name].run).toReversed());
  });

  test('a search of the runs finds those whose question was kept', async () => {
    const [word = ''] = /\w+/.exec(String(manifest.settled.runs.finished.run.question ?? 'a')) ?? [];
    const search = await settled().read<{ runs: object[] }>(`/v1/agents/runs?search=${word}`);
    const kept = finishedRuns.filter((name) =>
      String(manifest.settled.runs[name].run.question ?? '').includes(word),
    );
    expect(search.runs).toMatchObject(kept.map((name) => manifest.settled.runs[name].run).toReversed());
  });

  /** Releases before it deleted the checkpoints of runs that had ended. */
  const keepsCheckpoints = upgrade.release >= '2026-11-27';

  test.each(finishedRuns)(
    'the run that was %s can be continued with its conversation if its checkpoint was kept, and else says why not',
    async (name) => {
      const { run, events } = manifest.settled.runs[name];
      const continued = settled().start({ question: 'And tomorrow?', previousRunId: run.agentId });
      if (!keepsCheckpoints) return expect(continued).rejects.toThrow(/: 409 [A-Z].+\.$/);
      // The models answer by the first question, which they are sent again.
      const { type } = events.at(-1)!;
      expect((await settled().follow(await continued)).at(-1)).toMatchObject({ type });
      expect(JSON.stringify(asked(name, 'writer').at(-1)?.messages)).toContain('And tomorrow?');
    },
  );

  test('a repeated Idempotency-Key answers with its run, and refuses another body', async () => {
    const { key, body, agentId } = manifest.settled.idempotency;
    const headers = { 'Idempotency-Key': key };
    expect(await settled().start(body, headers)).toBe(agentId);
    await expect(settled().start({ question: 'Another?' }, headers)).rejects.toThrow('409');
  });

  test.each(openRuns)(
    'the run that was open (%s) goes on to its end, without gap or repeat',
    async (name) => {
      const { agentId, key, events: before } = manifest.open[name];
      const caller = upgraded.call(key);
      const events = await caller.follow(agentId);
      expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
      expect(events.slice(0, before.length)).toMatchObject(before);
      expect(events.filter(({ type }) => type === 'done')).toHaveLength(1);
      expect(await caller.run(agentId)).toMatchObject({
        status: 'succeeded',
        result: events.at(-1)?.finalText,
      });
    },
  );

  test.each([...finishedRuns])(
    'the run that was %s shows question, model and counts only if its release kept them',
    async (name) => {
      const held = manifest.settled.runs[name].run;
      const run = await settled().run(held.agentId);
      expect(Object.hasOwn(run, 'question')).toBe(Object.hasOwn(held, 'question'));
      expect(Object.hasOwn(run, 'model')).toBe(Object.hasOwn(held, 'model'));
      expect(Object.keys(run.usage)).toEqual(Object.keys(held.usage));
    },
  );

  test.each(openRuns)(
    'the run that was open (%s) is charged once for each answer of a model',
    async (name) => {
      const { agentId, key, credits } = manifest.open[name];
      const seen = name === 'image' ? nanoEuroOf.vision : 0;
      const completions = asked(name, 'writer').length;
      const expected = toNanoEuro(credits) + seen + completions * nanoEuroOf.completion;
      const { usage } = await upgraded.call(key).run(agentId);
      expect(completions).toBeGreaterThan(0);
      expect(toNanoEuro(usage.credits)).toBe(expected);
      const charges = await chargesOf(agentId);
      expect(charges.reduce((sum, { amount }) => sum - toNanoEuro(amount), 0)).toBe(expected);
    },
  );

  test('an image that was seen is not looked at again, and its step is charged once', async () => {
    const { agentId } = manifest.open.image;
    const charges = await chargesOf(agentId);
    expect(asked('image', 'eyes')).toEqual([]);
    expect(charges.filter(({ kind }) => kind === 'vision')).toMatchObject([{ amount: '-0.00034' }]);
  });

  test('a run goes on from its last round, with what it had read and saved', async () => {
    const [next] = asked('running', 'writer');
    expect(turnOf(next!)).toBe(2);
    expect(JSON.stringify(next!.messages)).toContain('Saved \\"low water\\"');
    const { value } = await upgraded
      .call(manifest.first.key)
      .read<{ value: string }>('/v1/values/low%20water');
    expect(value).toHaveLength(9_000);
  });

  test('a run keeps the instructions that it was created with', () => {
    const [next] = asked('queued', 'writer');
    expect(JSON.stringify(next!.messages)).toContain(manifest.queuedSkill.instructions);
  });

  test('a new run succeeds and is charged', async () => {
    const before = asked('', 'writer').length;
    const agentId = await settled().start({ question: 'And now?' });
    expect((await settled().follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
    const { usage } = await settled().run(agentId);
    const completions = asked('', 'writer').length - before;
    expect(toNanoEuro(usage.credits)).toBe(completions * nanoEuroOf.completion);
  });

  test('a finished run can be deleted', async () => {
    const { agentId } = manifest.settled.runs.finished.run;
    const route = `/v1/agents/runs/${agentId}`;
    expect((await settled().send(route, { method: 'DELETE' })).status).toBe(204);
    expect((await settled().send(route)).status).toBe(404);
  });

  test.each(openRuns)('the run that was open (%s) can be continued once it has ended', async (name) => {
    const { agentId, key } = manifest.open[name];
    const caller = upgraded.call(key);
    await caller.follow(agentId);
    const { result } = await caller.run(agentId);
    const question = `And after ${name}?`;
    const next = await caller.start({ question, previousRunId: agentId });
    expect((await caller.follow(next)).at(-1)).toMatchObject({ type: 'done' });
    const sent = upgraded.models.provider.requests.flatMap(({ messages }) => {
      const at = messages.findIndex(({ content }) => content === question);
      return at > 0 ? [messages[at - 1]] : [];
    });
    expect(sent[0]).toMatchObject({ role: 'assistant', content: result });
  });

  test('the books agree', async () => {
    // The last charge is written in its own time.
    await eventually(() => upgraded.problems()).toEqual([]);
  });
});
