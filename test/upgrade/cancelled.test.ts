import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { RunEvent } from '../support/service.ts';
import { type HeldAgents, type Manifest, readManifest } from './support/manifest.ts';
import { answerTo } from './support/models.ts';
import { startUpgraded, type Upgraded, upgrades } from './support/upgraded.ts';

const ofDataFolders = upgrades.filter(({ home }) => home === 'data folder');
const openRuns = ['queued', 'running', 'image', 'waiting'] as const;

describe.each(ofDataFolders)('open runs of the release $release that are cancelled', (upgrade) => {
  let upgraded: Upgraded;
  let manifest: Manifest;
  const ended: Record<string, RunEvent[]> = {};

  beforeAll(async () => {
    // No worker goes on with them before.
    upgraded = await startUpgraded(upgrade, ['aws', 'api']);
    ({ manifest } = upgraded);
    for (const name of openRuns) {
      const { agentId, key } = manifest.open[name];
      const caller = upgraded.call(key);
      await caller.post(`/v1/agents/runs/${agentId}/cancel`, {});
      ended[name] = await caller.follow(agentId);
    }
    if (manifest.agents) await giveUp(manifest.agents);
    await upgraded.startWorker();
  });
  afterAll(() => upgraded.stop());

  /** Nothing else is asked of the models. */
  async function giveUp({ key, divided, schedule }: HeldAgents): Promise<void> {
    const caller = upgraded.call(key);
    await caller.post(`/v1/agents/runs/${divided.agentId}/cancel`, {});
    ended.divided = await caller.follow(divided.agentId);
    expect((await caller.send(`/v1/schedules/${schedule.id}`, { method: 'DELETE' })).status).toBe(204);
  }

  test.runIf(readManifest(upgrade.release).agents)(
    'the run that waited for a sub-run ends, and takes it along',
    async () => {
      const { key, divided } = manifest.agents!;
      expect(ended.divided!.slice(0, divided.events.length)).toMatchObject(divided.events);
      expect(ended.divided!.at(-1)).toMatchObject({ type: 'error' });
      const subRuns = () => upgraded.call(key).subRuns(divided.agentId);
      await eventually(async () => (await subRuns()).map(({ status }) => status).toSorted()).toEqual([
        'failed',
        'succeeded',
      ]);
    },
  );

  test.each(openRuns)(
    'the run that was open (%s) ends with what its caller had seen before',
    async (name) => {
      const { agentId, key, events } = manifest.open[name];
      expect(await upgraded.call(key).run(agentId)).toMatchObject({ status: 'failed' });
      expect(ended[name]!.slice(0, events.length)).toMatchObject(events);
      expect(ended[name]!.at(-1)).toMatchObject({ type: 'error' });
    },
  );

  /** What the model is asked by the run that goes on in this way. */
  async function goOn(name: (typeof openRuns)[number], body: object): Promise<string[]> {
    const { agentId: previousRunId, key } = manifest.open[name];
    const { provider } = upgraded.models;
    provider.script(answerTo);
    const caller = upgraded.call(key);
    const events = await caller.follow(await caller.start({ previousRunId, ...body }));
    expect(events.at(-1)).toMatchObject({ type: 'done' });
    expect(events.map(({ type }) => type)).not.toContain('tool_call');
    expect(provider.requests.map(({ model }) => model)).not.toContain('upstream-eyes');
    const asked = (provider.requests[0]?.messages ?? []).map(({ content }) => String(content));
    expect(asked[1]).toContain(`[${name}]`);
    expect(asked[1]!.includes('A grey pixel')).toBe(name === 'image');
    return asked;
  }

  test.each(openRuns)(
    'the run that was open (%s) is carried on, and pays for nothing again',
    async (name) => {
      const asked = await goOn(name, {});
      if (name === 'running') expect(asked.at(-1)).toBe('Saved "low water" (9000 characters).');
      else expect(asked).toHaveLength(2);
    },
  );

  test.each(openRuns)('the run that was open (%s) can be asked a question that follows', async (name) => {
    const asked = await goOn(name, { question: `And after ${name}?` });
    expect(asked.at(-1)).toMatch(new RegExp(`And after ${name}\\?$`));
  });

  test('the books agree', async () => {
    // The last charge is written in its own time.
    await eventually(() => upgraded.problems()).toEqual([]);
  });
});
