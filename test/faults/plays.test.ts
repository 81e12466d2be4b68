import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setLimit } from '../support/set-limit.ts';
import { type Desk, openDesk } from './support/desk.ts';
import { alike } from './support/everything-run.ts';
import { type Ground, startGround } from './support/ground.ts';
import { type Life, livesOf } from './support/lives.ts';
import { type Play, plays, scriptPlay } from './support/random-plays.ts';
import { expectSoundBooks } from './support/sound-books.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(async () => {
  await expectSoundBooks(ground);
  await ground.close();
});

/** `RUN_PLAYS=200 npm test -- test/faults/plays` plays for some minutes. */
const count = Number(process.env.RUN_PLAYS ?? 5);

let played = 0;

interface Started {
  desk: Desk;
  agentId: string;
  label: string;
}

/** The run of a play, with an account of its own. `more` goes into the body of its creation. */
async function started(play: Play, more: object = {}): Promise<Started | undefined> {
  const desk = await openDesk(ground);
  // What a model is shown depends on how long the texts are.
  const label = `play-${String(++played).padStart(5, '0')}`;
  const body = JSON.stringify({ ...scriptPlay(ground.outside, label, play), ...more });
  const response = await desk.request('/v1/agents/runs', { method: 'POST', body });
  if (response.status === 202)
    return { desk, label, agentId: ((await response.json()) as { agentId: string }).agentId };
  expect(await response.text()).toContain('maxCredits');
  desk.close();
  return undefined;
}

/** What was set aside for work that was not committed ends by itself. */
async function expectNothingReserved(desk: Desk): Promise<void> {
  const later = await desk.colleague(() => Date.now() + 3_600_000);
  expect(await (await later.request('/v1/credits')).json()).toMatchObject({ reserved: '0' });
  later.close();
}

/** Has the run worked on by these workers, and expects that log, charges and holds agree. Returns what its readers and its payer see. */
async function workedOff({ desk, agentId, label }: Started, lives: readonly Life[]) {
  await livesOf(ground, desk, agentId, lives);
  const events = alike(await desk.follow(agentId), { agentId, label });
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
  const ends = events.filter(({ type }) => ['done', 'error', 'input_required'].includes(type));
  expect(ends).toEqual(events.slice(-1));
  const { status, result, usage } = await desk.read(agentId);
  const charged = await desk.charged(agentId);
  expect(Math.round(Number(usage.credits) * 1e9)).toBe(charged.sumNanoEuro);
  expect(new Set(charged.ids).size).toBe(charged.ids.length);
  return { events, charged, status, result: result?.replaceAll(label, '<label>') };
}

const befalls = (whats: readonly Life['what'][]): fc.Arbitrary<Life[]> =>
  fc.array(
    fc.record({
      commit: fc.integer({ min: 2, max: 5 }),
      moment: fc.constantFrom('before', 'after'),
      what: fc.constantFrom(...whats),
    }),
    { minLength: 1, maxLength: 6 },
  );

/** Checkpoints are written whole in the middle of a run too, and turns have calls that are left out. */
function makeLimitsSmall(): void {
  setLimit('checkpointChangesBytes', 1_500);
  setLimit('toolCallsPerCompletion', 10);
}

test('a run whose workers die or stop at commits, or lose their answers, tells and costs what it would undisturbed, whatever its model calls', async () => {
  makeLimitsSmall();
  const property = fc.asyncProperty(plays, befalls(['killed', 'lost', 'stopped']), async (play, lives) => {
    const [disturbed, undisturbed] = [(await started(play))!, (await started(play))!];
    const told = await workedOff(disturbed, lives);
    expect(told).toEqual(await workedOff(undisturbed, []));
    await expectNothingReserved(disturbed.desk);
    expect(told.charged.spentNanoEuro).toBe(told.charged.sumNanoEuro);
    for (const { desk } of [disturbed, undisturbed]) desk.close();
  });
  await fc.assert(property, { numRuns: count, endOnFailure: true });
});

const caps = fc.option(fc.constantFrom('0.004', '0.01', '0.02'), { nil: undefined });

test('a run that is cancelled or out of credits while its workers die ends once with sound books, and another goes on from it', async () => {
  makeLimitsSmall();
  const lives = befalls(['killed', 'lost', 'stopped', 'cancelled', 'cancelled']);
  const property = fc.asyncProperty(plays, lives, caps, async (play, befalling, maxCredits) => {
    const run = await started(play, { maxCredits });
    if (!run) return;
    const { desk, label } = run;
    const { events } = await workedOff(run, befalling);
    const made = events.filter(({ type }) => type === 'tool_call').map(({ toolName }) => toolName);
    const results = events.filter(({ type }) => type === 'tool_result').map(({ toolName }) => toolName);
    expect(results.length).toBeLessThanOrEqual(made.length);
    const next = await desk.start({ question: 'And now?', previousRunId: run.agentId, tools: [] });
    expect((await workedOff({ desk, label, agentId: next }, [])).status).toBe('succeeded');
    await expectNothingReserved(desk);
    desk.close();
  });
  await fc.assert(property, { numRuns: count, endOnFailure: true });
});
