import { type Completion, UpstreamError } from '@errand/models';
import { allOrNothing, tokensCost } from '@errand/money';
import { silentLog } from '@errand/platform';
import { createFetchMeter } from '@errand/web';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { createPurse, type Purse } from '../../test/support/purse.ts';
import type { AgentInput } from './conversation.ts';
import type { AgentDeps, CompletionRequest } from './deps.ts';
import { type PaidCalls, paidCalls } from './paid-calls.ts';
import { runAgent } from './run-agent.ts';
import type { Progress } from './state.ts';
import { bridgeInput, right, wrong } from './test-support/bridge-value.ts';
import { keptInMemory } from './test-support/kept-in-memory.ts';
import { defineTool, ToolError } from './tool.ts';

const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 10 };

/** The model calls a tool in each round, says so, and spends all output that it may. */
function makeAgent(purse: Purse, answer: (request: CompletionRequest, number: number) => Completion | Error) {
  const requests: CompletionRequest[] = [];
  const calls = paidCalls(purse);
  const deps: AgentDeps = {
    clock: () => Date.UTC(2026, 10, 21),
    log: silentLog,
    material: keptInMemory(),
    patienceMilliseconds: 0,
    tools: [reader(calls)],
    calls,
    memory: { read: async () => undefined },
    meter: createFetchMeter(),
    shapeOpening: (messages) => messages,
    reasoning: {
      id: 'scripted',
      contextTokens: 32_768,
      thinkingTokens: () => 0,
      noteThinking: () => false,
      price: () => price,
      impact: async () => ({
        version: '20261121',
        inferenceTime: { total: 1, unit: 'ms' },
        energy: { total: 2, unit: 'Wms' },
        emissions: { total: 3, unit: 'ugCO2e' },
      }),
      async complete(request, { taking }) {
        requests.push(request);
        Object.assign(taking, { taken: true, upstream: 'host/model' });
        const answered = answer(request, requests.length);
        if (answered instanceof Error) throw answered;
        return answered;
      },
    },
    readers: {
      isImage: async () => false,
      see: async () => ({ text: '' }),
      transcribe: async () => ({ text: '' }),
    },
  };
  return { deps, requests };
}

const toolNanoEuro = 500_000;

const reader = (calls: PaidCalls) =>
  defineTool({
    name: 'read',
    description: 'Costs something.',
    parameters: v.object({}),
    timeoutMilliseconds: 60_000,
    sends: 'nothing',
    async run(_, { signal }) {
      const cost = { kind: 'vision' as const, model: 'eyes', amountNanoEuro: toolNanoEuro };
      const asked = { bound: allOrNothing(toolNanoEuro), known: async () => cost, signal };
      const made = await calls.make(asked, async () => ({ cost }));
      if (!made) throw new ToolError('The credits do not suffice.');
      return { text: 'read', costs: [made.cost] };
    },
  });

const completion = (
  text: string | null,
  { tokens, calling = 0 }: { tokens: number; calling?: number },
): Completion => ({
  message: {
    role: 'assistant',
    content: text,
    ...(calling > 0 && {
      tool_calls: Array.from({ length: calling }, (_, i) => ({
        id: `c${i}`,
        type: 'function' as const,
        function: { name: 'read', arguments: '{}' },
      })),
    }),
  },
  finishReason: 'stop',
  usage: { inputTokens: 100, cachedInputTokens: 0, outputTokens: tokens },
  inferenceMilliseconds: 1,
});

const greedy = (calling: number) => (request: CompletionRequest, number: number) => {
  const goesOn = request.tool_choice === 'auto';
  return completion(`Text ${number}.`, { tokens: request.max_tokens, calling: goesOn ? calling : 0 });
};

async function collect(deps: AgentDeps, input: AgentInput = { question: 'q' }): Promise<Progress[]> {
  const all: Progress[] = [];
  for await (const progress of runAgent(deps, input)) all.push(progress);
  return all;
}

const eventsOf = (all: Progress[]) => all.flatMap(({ events }) => events);
const stopReasonOf = (all: Progress[]) => {
  const state = all.at(-1)?.state;
  return state?.phase === 'ended' ? state.stopReason : undefined;
};
const ending = (all: Progress[]) =>
  eventsOf(all)
    .slice(-6)
    .map((event) => ('text' in event ? event.text : event.type));

const full = tokensCost(price, { inputTokens: 9_000, cachedInputTokens: 0, outputTokens: 4_096 });

test('a run whose money runs out answers as far as the rest pays, twice and without a check', async () => {
  const purse = createPurse(2 * full);
  const { deps, requests } = makeAgent(purse, greedy(1));
  const all = await collect(deps);
  const last = requests.at(-1);
  expect(requests.slice(0, -1).every(({ tool_choice }) => tool_choice === 'auto')).toBe(true);
  expect(last?.tool_choice).toBe('none');
  expect(last?.max_tokens).toBeLessThan(4_096);
  const answer = `Text ${requests.length}.`;
  expect(ending(all)).toEqual([answer, 'step_complete', 'step_start', answer, 'step_complete', 'done']);
  expect(all.at(-1)).toMatchObject({ state: { stopReason: 'credits' }, costs: [] });
  expect(purse).toMatchObject({ heldNanoEuro: 0 });
  expect(purse.leftNanoEuro).toBeGreaterThanOrEqual(0);
});

test('a run that cannot pay for the next input asks no more, and answers with its last text', async () => {
  const purse = createPurse(full);
  const { deps, requests } = makeAgent(purse, (_, number) => {
    purse.leftNanoEuro = -purse.heldNanoEuro;
    return completion(`Text ${number}.`, { tokens: 5, calling: 1 });
  });
  const all = await collect(deps);
  expect(requests).toHaveLength(1);
  expect(eventsOf(all)).toContainEqual({
    type: 'tool_result',
    toolName: 'read',
    result: 'Error: The credits do not suffice.',
  });
  expect(ending(all)).toEqual(['Text 1.', 'step_complete', 'step_start', 'Text 1.', 'step_complete', 'done']);
  expect(stopReasonOf(all)).toBe('credits');
});

test('a run that can pay for nothing at all says so', async () => {
  const { deps, requests } = makeAgent(createPurse(0), greedy(1));
  const all = await collect(deps);
  expect(requests).toEqual([]);
  expect(eventsOf(all).at(-1)).toEqual({
    type: 'done',
    finalText: 'No answer was reached with the credits that were left.',
  });
  expect(stopReasonOf(all)).toBe('credits');
});

test('a check that cannot be paid in full is left out', async () => {
  const purse = createPurse(10 * full);
  const { deps, requests } = makeAgent(purse, () => {
    purse.leftNanoEuro = Math.floor(full / 2) - purse.heldNanoEuro;
    return completion('The answer.', { tokens: 5 });
  });
  const all = await collect(deps);
  expect(requests).toHaveLength(1);
  expect(ending(all).filter((text) => text === 'The answer.')).toHaveLength(2);
  expect(all.at(-1)).toMatchObject({ state: { stopReason: 'credits' }, costs: [] });
});

test('a run that has to answer at the cap of rounds says so, and is checked', async () => {
  const { deps, requests } = makeAgent(createPurse(), greedy(1));
  const all = await collect(deps);
  expect(requests).toHaveLength(20 + 1 + 2);
  expect(stopReasonOf(all)).toBe('rounds');
});

test('a run that its model ends gives no reason for an early answer', async () => {
  const { deps } = makeAgent(createPurse(), () => completion('Ready.', { tokens: 5 }));
  expect(stopReasonOf(await collect(deps))).toBeUndefined();
});

test('a completion that failed costs nothing, and keeps nothing', async () => {
  const purse = createPurse(10 * full);
  const { deps } = makeAgent(purse, () => new UpstreamError('refused'));
  await collect(deps);
  expect(purse).toMatchObject({ leftNanoEuro: 10 * full, heldNanoEuro: 0, spentNanoEuro: 0 });
});

test('each charge names the model, the tokens and the step that it is for', async () => {
  const { deps } = makeAgent(createPurse(), () => completion('Ready.', { tokens: 5 }));
  expect((await collect(deps)).flatMap(({ costs }) => costs)[0]).toEqual({
    id: 'completion-1',
    kind: 'completion',
    model: 'scripted',
    inputTokens: 100,
    cachedInputTokens: 0,
    outputTokens: 5,
    amountNanoEuro: 150_000,
    step: 1,
    price,
    upstream: 'host/model',
    energy: 2,
    emissions: 3,
    reservation: expect.objectContaining({ id: 'hold' }),
  });
});

test.each([
  [true, ['broken-off-0-0']],
  [false, []],
])(
  'a run that is stopped is charged the input of its open completion only if the provider has taken it: %j',
  async (taken, ids) => {
    const purse = createPurse();
    const { deps } = makeAgent(purse, () => completion('', { tokens: 1 }));
    const abort = new AbortController();
    deps.reasoning.complete = async (_, { taking }) => {
      taking.taken = taken;
      abort.abort(new Error('stopped'));
      throw abort.signal.reason;
    };
    const all: Progress[] = [];
    const run = async () => {
      for await (const progress of runAgent(deps, { question: 'q' }, undefined, abort.signal))
        all.push(progress);
    };
    await expect(run()).rejects.toThrow('stopped');
    const costs = all.flatMap((progress) => progress.costs);
    expect(costs.map(({ id }) => id)).toEqual(ids);
    for (const cost of costs) expect(cost).toMatchObject({ brokenOff: true, outputTokens: 0, step: 1 });
    expect(purse.heldNanoEuro).toBe(0);
  },
);

test('tool calls that were answered before the run is stopped are charged in full', async () => {
  const purse = createPurse();
  const { deps } = makeAgent(purse, greedy(3));
  const abort = new AbortController();
  const all: Progress[] = [];
  const run = async () => {
    for await (const progress of runAgent(deps, { question: 'q' }, undefined, abort.signal)) {
      all.push(progress);
      if (!progress.events.some(({ type }) => type === 'tool_result')) continue;
      await new Promise(setImmediate);
      abort.abort(new Error('stopped'));
    }
  };
  await expect(run()).rejects.toThrow('stopped');
  const spent = all.flatMap(({ costs }) => costs).reduce((sum, cost) => sum + cost.amountNanoEuro, 0);
  expect(purse).toMatchObject({ heldNanoEuro: 0, spentNanoEuro: spent });
  expect(all.flatMap(({ costs }) => costs).filter(({ kind }) => kind === 'vision')).toHaveLength(3);
});

test('a run never spends more than it has, leaves nothing reserved, and succeeds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 12 * full }),
      fc.integer({ min: 0, max: 6 }),
      async (nanoEuro, calling) => {
        const purse = createPurse(nanoEuro);
        const all = await collect(makeAgent(purse, greedy(calling)).deps);
        const costs = all.flatMap((progress) => progress.costs);
        expect(eventsOf(all).at(-1)?.type).toBe('done');
        expect(purse.leftNanoEuro).toBeGreaterThanOrEqual(0);
        expect(purse.heldNanoEuro).toBe(0);
        expect(costs.reduce((sum, cost) => sum + cost.amountNanoEuro, 0)).toBe(nanoEuro - purse.leftNanoEuro);
      },
    ),
    { numRuns: 40 },
  );
});

/** As `greedy`, of a run with a schema: its value fits at the writing with this number. */
const writing = (calling: number, fits: number) => {
  let writings = 0;
  const others = greedy(calling);
  return (request: CompletionRequest, number: number): Completion => {
    if (!request.response_format) return others(request, number);
    const { text } = ++writings === fits ? right : wrong;
    return completion(text, { tokens: request.max_tokens });
  };
};

test('a run with a schema writes its value while the credits pay for that, and is not checked then', async () => {
  const { deps, requests } = makeAgent(createPurse(3 * full), writing(1, 1));
  const all = await collect(deps, bridgeInput);
  expect(eventsOf(all).at(-1)).toMatchObject({
    type: 'done',
    finalText: '{"name":"Iron Bridge","metres":60}',
  });
  expect(stopReasonOf(all)).toBe('credits');
  const last = requests.at(-1)!;
  expect(last).toMatchObject({ tool_choice: 'none', response_format: {} });
  // What was left pays for the whole of it: no completion before it had taken that.
  expect(last.max_tokens).toBe(8_192);
  expect(requests.length).toBeGreaterThan(1);
});

test('a run with a schema whose credits end in a repair fails, and says so', async () => {
  const { deps, requests } = makeAgent(createPurse(2 * full), writing(1, 3));
  const all = await collect(deps, bridgeInput);
  expect(eventsOf(all).at(-1)).toMatchObject({
    type: 'error',
    message: expect.stringMatching(/^The credits /),
  });
  expect(stopReasonOf(all)).toBe('credits');
  expect(requests.filter(({ response_format }) => response_format)).toHaveLength(2);
});

test('a run with a schema never spends more than it has, leaves nothing reserved, and ends with a value or says why not', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 12 * full }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 1, max: 4 }),
      async (nanoEuro, calling, fits) => {
        const purse = createPurse(nanoEuro);
        const all = await collect(makeAgent(purse, writing(calling, fits)).deps, bridgeInput);
        const costs = all.flatMap((progress) => progress.costs);
        const end = eventsOf(all).at(-1);
        const reason = stopReasonOf(all);
        if (end?.type === 'done') expect(end.finalText).toBe('{"name":"Iron Bridge","metres":60}');
        else expect([end?.type, reason]).toEqual(['error', expect.stringMatching(/^(credits|schema)$/)]);
        if (reason === 'schema') expect(fits).toBe(4);
        expect(purse.leftNanoEuro).toBeGreaterThanOrEqual(0);
        expect(purse.heldNanoEuro).toBe(0);
        expect(costs.reduce((sum, cost) => sum + cost.amountNanoEuro, 0)).toBe(nanoEuro - purse.leftNanoEuro);
      },
    ),
    { numRuns: 40 },
  );
});
