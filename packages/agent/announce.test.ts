import { describe, expect, test } from 'vitest';
import type { AgentDeps } from './deps.ts';
import type { Proof } from './proof.ts';
import { runAgent } from './run-agent.ts';
import { initialState, type Progress } from './state.ts';
import { collect, eventsOf, makeAgent, type Scripted, takenOver } from './test-support/scripted-agent.ts';
import type { Tool } from './tool.ts';

const confirm: Scripted = { calls: [['confirm_answer', {}]] };

/** A tool of a server, which acts. */
function brought(made: string[], more: Partial<Tool> = {}): Tool {
  return {
    name: 'shop__buy',
    description: '',
    parameters: { jsonSchema: { type: 'object' } },
    timeoutMilliseconds: 60_000,
    acts: true,
    sends: () => ({ message: 'a boat' }),
    run: async (_, { callKey }) => {
      made.push(callKey);
      return { text: 'It is bought.', isOutside: true };
    },
    ...more,
  };
}

const buy: Scripted = { calls: [['shop__buy', {}]] };

/** A run whose model buys, and then answers. */
function buying(more: Partial<AgentDeps> = {}, tool: Partial<Tool> = {}, script: Scripted[] = [buy]) {
  const made: string[] = [];
  const answers = [...script, { text: 'Done.' }];
  const agent = makeAgent((_, number) => answers[number - 1] ?? confirm, [brought(made, tool)]);
  return { ...agent, made, deps: { ...agent.deps, ...more } };
}

/** Pieces as a commit has them: the types of their events, the ids of their costs, and how many calls are about to begin. */
const told = (all: readonly Progress[]) =>
  all.map(({ events, costs, state }) => [
    events.map(({ type }) => type).join(' '),
    costs.map(({ id }) => id).join(' '),
    state.phase === 'act' ? (state.begun ?? 0) : undefined,
  ]);

const end = [
  ['text step_complete step_start', 'completion-2', undefined],
  ['text step_complete done', 'completion-3', undefined],
];

/** Takes pieces until the run throws, or ends. */
async function untilThrown(deps: AgentDeps, from = initialState as Progress['state'], signal?: AbortSignal) {
  const all: Progress[] = [];
  try {
    for await (const progress of runAgent(deps, { question: 'q' }, from, signal)) all.push(progress);
    return { all, thrown: undefined };
  } catch (thrown) {
    return { all, thrown };
  }
}

describe('the commit of a completion', () => {
  test('announces its calls, and that those that act are about to begin; that of an answer announces the check', async () => {
    const { deps } = buying();
    expect(told(await collect(deps))).toEqual([
      ['step_start', '', undefined],
      ['tool_call', 'completion-1', 1],
      ['tool_result', '', undefined],
      ...end,
    ]);
  });

  test('announces all its calls; those that an earlier release has announced are not announced again', async () => {
    const calls = Array.from({ length: 17 }, (): [string, unknown] => ['shop__buy', {}]);
    const { deps } = buying({}, { acts: false }, [{ calls }]);
    const announced = (count: number) => Array(count).fill('tool_call').join(' ');
    const all = await collect(deps);
    expect(told(all)[1]).toEqual([announced(17), 'completion-1', 0]);
    const half = { ...all[1]!.state, announced: 8 } as Progress['state'];
    expect(told(await collect(deps, { question: 'q' }, half))[0]).toEqual([announced(9), '', 0]);
  });

  test('begins no call that acts once the run is to be handed on, and who takes it over makes the call', async () => {
    let isStopping = false;
    const { deps, made } = buying({ isStopping: () => isStopping });
    const { complete } = deps.reasoning;
    deps.reasoning.complete = (request, options) => {
      isStopping = true;
      return complete(request, options);
    };
    const all: Progress[] = [];
    for await (const progress of runAgent(deps, { question: 'q' })) {
      all.push(progress);
      if (progress.costs.length > 0) break;
    }
    await new Promise(setImmediate);
    expect(told(all).at(-1)).toEqual(['tool_call', 'completion-1', 0]);
    expect(made).toEqual([]);
    isStopping = false;
    expect(told(await collect(deps, { question: 'q' }, takenOver(all.at(-1)!.state)))).toEqual([
      ['', '', 1],
      ['tool_result', '', undefined],
      ...end,
    ]);
    expect(made).toHaveLength(1);
  });

  test('has the completion alone if the run is stopped before it: nothing is announced, begun or lost', async () => {
    const { deps, made } = buying();
    const stop = new AbortController();
    const { complete } = deps.reasoning;
    deps.reasoning.complete = async (request, options) => {
      const completion = await complete(request, options);
      stop.abort(new Error('stop'));
      return completion;
    };
    const { all, thrown } = await untilThrown(deps, initialState, stop.signal);
    expect(thrown).toBe(stop.signal.reason);
    expect(told(all)).toEqual([
      ['step_start', '', undefined],
      ['', 'completion-1', 0],
    ]);
    expect(made).toEqual([]);
    deps.reasoning.complete = complete;
    const rest = await collect(deps, { question: 'q' }, takenOver(all.at(-1)!.state));
    expect(told(rest)).toEqual([['tool_call', '', 1], ['tool_result', '', undefined], ...end]);
  });

  test('comes before what fails in our own code afterwards, so that nobody pays for the completion again', async () => {
    const fails = () => {
      throw new TypeError('broken');
    };
    const { deps, requests, made } = buying({}, { valueName: fails });
    const first = await untilThrown(deps);
    expect(first.thrown).toBeInstanceOf(TypeError);
    expect(told(first.all).at(-1)).toEqual(['', 'completion-1', 0]);
    const second = await untilThrown(deps, takenOver(first.all.at(-1)!.state));
    expect(second).toEqual({ all: [], thrown: expect.any(TypeError) });
    expect(requests).toHaveLength(1);
    expect(made).toEqual([]);
  });

  test('comes before a decision model is asked about its calls, whose failure or end costs nothing twice', async () => {
    const committed: string[] = [];
    const asked: string[][] = [];
    const judge: Proof = {
      threshold: 0.5,
      async *check(claims) {
        asked.push([...committed]);
        if (asked.length === 1) throw new TypeError('broken');
        yield {
          positions: [...claims.keys()],
          supports: new Map([[0, 0.9]]),
          cost: { kind: 'decision', inputTokens: 1, amountNanoEuro: 1 },
        };
      },
    };
    const both: Scripted = { calls: ['shop__buy', 'shop__look'].map((name) => [name, {}]) };
    const approving = { except: [], names: ['shop__buy'], writes: false, judge };
    const { deps, requests } = buying({ approving }, {}, [both]);
    deps.tools = [...deps.tools, brought([], { name: 'shop__look', acts: false })];
    const all: Progress[] = [];
    const workOn = async (from: Progress['state']) => {
      for await (const progress of runAgent(deps, { question: 'q' }, from)) {
        all.push(progress);
        committed.push(...progress.costs.map(({ id }) => id));
      }
    };
    await expect(workOn(initialState)).rejects.toThrow('broken');
    await workOn(takenOver(all.at(-1)!.state));
    expect(asked).toEqual([['completion-1'], ['completion-1']]);
    expect(requests).toHaveLength(3);
    expect(told(all)).toEqual([
      ['step_start', '', undefined],
      ['', 'completion-1', 0],
      ['', 'approval-1-0-0', 0],
      ['tool_call tool_call', '', 1],
      ['tool_result', '', 0],
      ['tool_result', '', undefined],
      ...end,
    ]);
    const called = eventsOf(all).flatMap((event) => (event.type === 'tool_call' ? event.toolName : []));
    expect(called).toEqual(['shop__buy', 'shop__look']);
  });

  test('comes before it is known whether a call that acts sends something secret; a call that reads is announced with it', async () => {
    const pieces = async (acts: boolean) =>
      told(await collect(buying({}, { acts, valueName: () => 'iban' }, [buy, buy]).deps));
    expect((await pieces(true)).slice(3, 5)).toEqual([
      ['', 'completion-2', 0],
      ['tool_call', '', 1],
    ]);
    expect((await pieces(false)).slice(3, 4)).toEqual([['tool_call', 'completion-2', 0]]);
  });

  test('comes before the end of a run that asks its caller', async () => {
    const { deps } = buying({ approving: { except: [], names: ['shop__buy'], writes: false } });
    expect(told(await collect(deps))).toEqual([
      ['step_start', '', undefined],
      ['', 'completion-1', 0],
      ['step_complete input_required', '', undefined],
    ]);
  });
});

test('the calls past the limit of a completion are those that the model wrote last, also where the caller is asked about the first', async () => {
  const calls = Array.from({ length: 17 }, (_, i): [string, unknown] => [
    i === 0 ? 'shop__buy' : 'shop__look',
    {},
  ]);
  const approving = { except: [], names: ['shop__buy'], writes: false };
  const { deps } = buying({ approving }, {}, [{ calls }]);
  const look = brought([], { name: 'shop__look', acts: false });
  const events = eventsOf(await collect({ ...deps, tools: [...deps.tools, look] }));
  const results = events.flatMap((event) => (event.type === 'tool_result' ? event.result : []));
  expect(results).toEqual([
    ...Array(15).fill('It is bought.'),
    'Error: This call was not made: a turn may make 16.',
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'input_required', calls: [{ id: 'c0', name: 'shop__buy' }] });
});
