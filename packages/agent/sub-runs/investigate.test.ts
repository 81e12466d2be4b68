import { limits } from '@errand/platform';
import { expect, test } from 'vitest';
import type { SubRunEnd, SubRuns } from '../deps.ts';
import type { Progress } from '../state.ts';
import {
  collect,
  echo,
  eventsOf,
  makeAgent,
  type Scripted,
  takenOver,
} from '../test-support/scripted-agent.ts';
import { investigate } from '../tools/investigate.ts';

const used = {
  inputTokens: 10,
  cachedInputTokens: 0,
  outputTokens: 5,
  reasoningTokens: 0,
  audioSeconds: 0,
  completions: 1,
  amountNanoEuro: 7,
};

interface World {
  capNanoEuro?: number;
  /** How often the runs are looked at before they are over. */
  looks?: number;
  problem?: string;
}

/** Runs that answer with their questions. */
function subRunsIn({ capNanoEuro, looks = 0, problem }: World = {}) {
  const questions = new Map<string, string>();
  const asked: { started: string[]; lent: number[]; taken: [number, number][]; gaveUp: number } = {
    started: [],
    lent: [],
    taken: [],
    gaveUp: 0,
  };
  let left = looks;
  const endOf = (runId: string): SubRunEnd => ({
    status: 'succeeded',
    text: `About ${questions.get(runId)}`,
    sources: [],
    guarded: { outsideSince: 0, knownValues: ['tide'], savedOutside: ['moon'] },
    used,
  });
  const ends = (runIds: readonly string[]) => new Map(runIds.map((runId) => [runId, endOf(runId)]));
  const subRuns: SubRuns = {
    idOf: (call, index) => `${call}/${index}`,
    async lend(count) {
      asked.lent.push(count);
      return capNanoEuro;
    },
    async takeBack(cap, spent) {
      asked.taken.push([cap, spent]);
    },
    async start(runs) {
      for (const { runId, question } of runs) {
        if (!questions.has(runId)) asked.started.push(question);
        questions.set(runId, question);
      }
      return new Map(problem === undefined ? [] : runs.map(({ runId }) => [runId, problem]));
    },
    // One of several is over at the last look but one.
    over: async (runIds) => (left-- > 0 ? ends(left === 0 ? runIds.slice(1) : []) : ends(runIds)),
    read: async (runIds) => ends(runIds),
    async giveUp() {
      asked.gaveUp++;
      return new Map();
    },
    copy: async () => [],
  };
  return { subRuns, asked };
}

function investigating(script: Scripted[], world: World = {}) {
  const { subRuns, asked } = subRunsIn(world);
  const { deps, requests } = makeAgent(script, [echo, investigate()]);
  return { deps: { ...deps, subRuns }, asked, requests };
}

const ask = (...questions: string[]): [string, unknown] => ['investigate', { questions }];
const input = { question: 'q', effort: 'high' as const };
const answer = { text: 'Noon.' };
const pausesOf = (all: Progress[]) => all.filter(({ pauseMilliseconds }) => pauseMilliseconds !== undefined);
const resultsOf = (all: Progress[]) =>
  eventsOf(all).flatMap((event) => (event.type === 'tool_result' ? event.result : []));

test('other calls of the turn are answered while sub-runs work, and the run waits for these alone', async () => {
  const { deps, asked } = investigating([{ calls: [ask('A?', 'B?'), ['echo', { text: 'a' }]] }, answer], {
    looks: 2,
  });
  const all = await collect(deps, input);
  expect(eventsOf(all).map(({ type }) => type)).toEqual([
    'step_start',
    'tool_call',
    'tool_call',
    'sub_run',
    'sub_run',
    'tool_result',
    'sub_run',
    'sub_run',
    'tool_result',
    'text',
    'step_complete',
    'step_start',
    'text',
    'step_complete',
    'done',
  ]);
  expect(resultsOf(all)[0]).toBe('a');
  const pauseMilliseconds = limits.longestPauseMilliseconds;
  expect(pausesOf(all)).toMatchObject([
    { events: [], waitsForRuns: ['1-1-1/0', '1-1-1/1'], pauseMilliseconds },
    {
      events: [{ type: 'sub_run', runId: '1-1-1/1', question: 'B?', status: 'succeeded' }],
      waitsForRuns: ['1-1-1/0'],
      pauseMilliseconds,
    },
  ]);
  expect(asked.started).toEqual(['A?', 'B?']);
});

test('a run that is taken over at any of its pieces goes on in the same way, and starts no sub-run twice', async () => {
  const script = [{ calls: [ask('A?', 'B?'), ['echo', { text: 'a' }] as [string, unknown]] }, answer];
  const { deps, asked } = investigating(script, { capNanoEuro: 100 });
  const whole = await collect(deps, input);
  const toldBy = (pieces: typeof whole) => pieces.flatMap(({ events, costs }) => [...events, ...costs]);
  for (const [i, { state }] of whole.entries())
    expect(toldBy(await collect(deps, input, takenOver(state)))).toEqual(toldBy(whole.slice(i + 1)));
  expect(asked.started).toEqual(['A?', 'B?']);
});

test('what is lent to sub-runs is committed before they begin, and what they leave comes back with their reports', async () => {
  const { deps, asked } = investigating([{ calls: [ask('A?', 'B?')] }, answer], {
    capNanoEuro: 100,
    looks: 1,
  });
  const all = await collect(deps, input);
  const told = all.map(({ state }) => state.subRuns?.map(({ status, capNanoEuro }) => [status, capNanoEuro]));
  const planned = told.findIndex((runs) => runs?.[0]?.[0] === 'planned');
  expect(told[planned]).toEqual(Array(2).fill(['planned', 100]));
  expect(told[planned + 1]).toEqual([
    ['started', 100],
    ['ended', 100],
  ]);
  expect(told.at(-1)).toEqual(Array(2).fill(['over', 100]));
  expect(all.at(-1)?.state.subRuns).toMatchObject(Array(2).fill({ used }));
  expect(asked.taken).toEqual(Array(2).fill([100, 7]));
});

test('the run knows the saved values that its sub-runs know or have saved, and that they have read something from outside', async () => {
  const { deps } = investigating([{ calls: [ask('A?')] }, answer]);
  expect((await collect(deps, input)).at(-1)?.state).toMatchObject({
    knownValues: ['tide'],
    outsideSince: 1,
    savedOutside: ['moon'],
  });
});

test('calls of one turn have at most as many sub-runs as may work at once', async () => {
  const many = Array.from({ length: limits.subRunsAtOnce - 1 }, (_, i) => `${i}?`);
  const { deps, asked } = investigating([{ calls: [ask(...many), ask('A?', 'B?')] }, answer]);
  const [, second = ''] = resultsOf(await collect(deps, input));
  expect(asked.started).toEqual([...many, 'A?']);
  expect(second).toContain('About A?');
  expect(second).toContain(
    `Report 2 on: B?\n\nError: At most ${limits.subRunsAtOnce} are worked on at once.`,
  );
});

test.each<[string, World, string]>([
  ['cannot be started', { problem: 'No more requests.' }, 'Error: No more requests.'],
  [
    'cannot be paid',
    { capNanoEuro: 0 },
    'Error: What is left of the credits of this run does not pay for it.',
  ],
])('a question whose sub-run %s is answered with the reason', async (_, world, told) => {
  const { deps } = investigating([{ calls: [ask('A?')] }, answer], world);
  const all = await collect(deps, input);
  expect(resultsOf(all)[0]).toContain(told);
  expect(eventsOf(all).map(({ type }) => type)).not.toContain('sub_run');
});

test('a run goes on without sub-runs that take too long', async () => {
  let now = Date.UTC(2026, 10, 21);
  const { deps, asked } = investigating([{ calls: [ask('A?')] }, answer], { looks: 1_000 });
  const clock = () => {
    now += 60_000;
    return now;
  };
  const all = await collect({ ...deps, clock }, input);
  expect(pausesOf(all).length).toBeGreaterThan(10);
  expect(pausesOf(all).length).toBeLessThanOrEqual(limits.subRunPatienceSeconds / 60);
  expect(asked.gaveUp).toBe(1);
  expect(resultsOf(all)[0]).toContain('Error: It was not done in time, and was cancelled.');
});

test('questions that are too many or too long are refused before anything is lent', async () => {
  const { deps, asked } = investigating([
    {
      calls: [
        ask(),
        ask(...Array<string>(9).fill('A?')),
        ask('x'.repeat(limits.subRunQuestionCharacters + 1)),
      ],
    },
    answer,
  ]);
  for (const result of resultsOf(await collect(deps, input)))
    expect(result).toMatch(/^Error: The arguments of investigate are wrong/);
  expect(asked.lent).toEqual([]);
});
