import { describe, expect, test } from 'vitest';
import type { AgentDeps } from './deps.ts';
import { runAgent } from './run-agent.ts';
import { type AgentState, initialState, isActing, type Progress } from './state.ts';
import { eventsOf, makeAgent, takenOver } from './test-support/scripted-agent.ts';
import { mayHaveActed, type Tool } from './tool.ts';

/** What a tool of a server does: it notes the keys of its calls. */
function brought(name: string, acts: boolean, made: string[]): Tool {
  return {
    name: `shop__${name}`,
    description: '',
    parameters: { jsonSchema: { type: 'object' } },
    timeoutMilliseconds: 60_000,
    acts,
    sends: 'nothing',
    run: async (_, { callKey }) => {
      made.push(`${name} ${callKey}`);
      return { text: `${name} is done` };
    },
  };
}

/** A run whose model calls tools that act, and one that reads, in two turns. */
function buying(more: Partial<AgentDeps> = {}) {
  const made: string[] = [];
  const turn = (...names: string[]) => ({
    calls: names.map((name): [string, unknown] => [`shop__${name}`, {}]),
  });
  const { deps } = makeAgent(
    [
      turn('buy', 'buy', 'look', 'buy'),
      turn('look', 'buy', 'buy', 'buy', 'buy', 'buy', 'buy', 'look', 'buy'),
      { text: 'Bought.' },
      { calls: [['confirm_answer', {}]] },
    ],
    [brought('buy', true, made), brought('look', false, made)],
  );
  return { made, deps: { ...deps, ...more } };
}

/** Takes so many pieces of a run from this state on, and leaves it there as a worker that dies does. */
async function piecesOf(deps: AgentDeps, from: AgentState, pieces = Number.POSITIVE_INFINITY) {
  const all: Progress[] = [];
  for await (const progress of runAgent(deps, { question: 'q' }, from)) {
    all.push(progress);
    if (all.length === pieces) {
      // What was begun goes on in the world for a while.
      await new Promise(setImmediate);
      break;
    }
  }
  return all;
}

const timesOf = (made: readonly string[], name: string): number[] =>
  [...Map.groupBy(made, (key) => key)].flatMap(([key, all]) => (key.startsWith(name) ? all.length : []));

const lost = (events: ReturnType<typeof eventsOf>) =>
  events.filter((event) => event.type === 'tool_result' && event.result.includes(mayHaveActed));

describe('a call of a tool that acts', () => {
  test('has a key of its own, made of step, completion and call', async () => {
    const { made, deps } = buying();
    await piecesOf(deps, initialState);
    expect(made.slice(0, 4).toSorted()).toEqual(['buy 1-1-0', 'buy 1-1-1', 'buy 1-1-3', 'look 1-1-2']);
    expect(new Set(made).size).toBe(13);
  });

  test('is made at most once if the run is taken over at any point, twice', async () => {
    const { length } = await piecesOf(buying().deps, initialState);
    for (let first = 1; first < length; first++)
      for (const second of [1, 2, 3]) {
        const { made, deps } = buying();
        const before = await piecesOf(deps, initialState, first);
        const between = await piecesOf(deps, takenOver(before.at(-1)!.state), second);
        const last = between.at(-1)!.state;
        const after = last.phase === 'ended' ? [] : await piecesOf(deps, takenOver(last));
        const events = eventsOf([...before, ...between, ...after]);
        expect(Math.max(...timesOf(made, 'buy'))).toBe(1);
        expect(events.filter(({ type }) => type === 'tool_result')).toHaveLength(13);
        // Each call was made, or its model knows that it may not have been.
        expect(timesOf(made, 'buy').length + lost(events).length).toBeGreaterThanOrEqual(10);
        expect(events.at(-1)?.type).toBe('done');
      }
  });

  test('is made at most once if the run is taken over from before any piece that was not committed', async () => {
    const { length } = await piecesOf(buying().deps, initialState);
    for (let died = 2; died <= length; died++) {
      const { made, deps } = buying();
      const before = (await piecesOf(deps, initialState, died)).slice(0, -1);
      const after = await piecesOf(deps, takenOver(before.at(-1)!.state));
      const events = eventsOf([...before, ...after]);
      expect(Math.max(...timesOf(made, 'buy'))).toBe(1);
      expect(events.filter(({ type }) => type === 'tool_result')).toHaveLength(13);
      expect(timesOf(made, 'buy').length + lost(events).length).toBeGreaterThanOrEqual(10);
      const ids = [...before, ...after].flatMap(({ costs }) => costs.map(({ id }) => id));
      expect(ids).toEqual(['completion-1', 'completion-2', 'completion-3', 'completion-4']);
    }
  });

  test('that answers before the run is taken over keeps its answer, and one that reads is made again', async () => {
    const { made, deps } = buying();
    const before = await piecesOf(deps, initialState, 3);
    const after = await piecesOf(deps, takenOver(before.at(-1)!.state));
    expect(lost(eventsOf([...before, ...after]))).toHaveLength(1);
    expect(made.filter((call) => call === 'look 1-1-2')).toHaveLength(2);
  });

  test('begins after a commit that says so', async () => {
    const { made, deps } = buying();
    for await (const { state } of runAgent(deps, { question: 'q' })) {
      const told = made.length;
      await new Promise(setImmediate);
      if (state.phase === 'act' && !isActing(state)) expect(timesOf(made.slice(told), 'buy')).toEqual([]);
    }
    expect(timesOf(made, 'buy')).toHaveLength(10);
  });

  test('is not begun once its run is to be handed on, and is made by who takes the run over', async () => {
    const { length } = await piecesOf(buying().deps, initialState);
    for (let stopAt = 1; stopAt < length; stopAt++) {
      let isStopping = false;
      const { made, deps } = buying({ isStopping: () => isStopping });
      const before: Progress[] = [];
      for await (const progress of runAgent(deps, { question: 'q' })) {
        before.push(progress);
        isStopping ||= before.length >= stopAt;
        if (isStopping && !isActing(progress.state)) break;
      }
      isStopping = false;
      const last = before.at(-1)!.state;
      const after = last.phase === 'ended' ? [] : await piecesOf(deps, takenOver(last));
      const events = eventsOf([...before, ...after]);
      expect(lost(events)).toEqual([]);
      expect(timesOf(made, 'buy')).toEqual(Array(10).fill(1));
      expect(events.at(-1)?.type).toBe('done');
    }
  });

  test('says that it may have been carried out if it takes too long', async () => {
    const slow = {
      ...brought('buy', true, []),
      timeoutMilliseconds: 1,
      run: () => new Promise<never>(() => {}),
    };
    const { deps } = makeAgent([{ calls: [['shop__buy', {}]] }, { text: 'Done.' }], [slow]);
    const [told] = lost(eventsOf(await piecesOf(deps, initialState)));
    expect(told).toMatchObject({ result: expect.stringMatching(/^Error: shop__buy took longer than/) });
  });
});
