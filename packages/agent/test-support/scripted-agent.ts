import assert from 'node:assert/strict';
import { type Completion, UpstreamError } from '@errand/models';
import { silentLog } from '@errand/platform';
import { createFetchMeter } from '@errand/web';
import * as v from 'valibot';
import { unlimitedCalls } from '../../../test/support/purse.ts';
import { readStored, type StoredState, storedState } from '../checkpoint.ts';
import type { AgentInput } from '../conversation.ts';
import type { AgentEvent } from '../data.ts';
import type { AgentDeps, CompletionRequest } from '../deps.ts';
import { runAgent } from '../run-agent.ts';
import { type AgentState, initialState, type Progress } from '../state.ts';
import { changesBetween, withStateChanges } from '../state-changes.ts';
import { defineTool, type Tool } from '../tool.ts';
import { requestInput } from '../tools/request-input.ts';
import { keptInMemory } from './kept-in-memory.ts';

/** What a scripted model answers. `args` that are a text are sent as they are. */
export type Scripted =
  | { text?: string; calls?: [name: string, args: unknown][]; withoutIds?: true; finish?: string }
  | UpstreamError;

const scriptedImpact = {
  version: '20261121',
  inferenceTime: { total: 1, unit: 'ms' as const },
  energy: { total: 2, unit: 'Wms' as const },
  emissions: { total: 3, unit: 'ugCO2e' as const },
};

const usage = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5 };

function toCompletion(scripted: Exclude<Scripted, UpstreamError>): Completion {
  const tool_calls = scripted.calls?.map(([name, args], i) => ({
    id: scripted.withoutIds ? '' : `c${i}`,
    type: 'function' as const,
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  return {
    message: { role: 'assistant', content: scripted.text ?? null, tool_calls },
    finishReason: scripted.finish ?? 'stop',
    usage,
    inferenceMilliseconds: 1,
  };
}

export const echo = defineTool({
  sends: 'nothing',
  name: 'echo',
  description: 'Says it again.',
  parameters: v.object({ text: v.string() }),
  timeoutMilliseconds: 1_000,
  run: async ({ text }) => text,
});

type Script = Scripted[] | ((request: CompletionRequest, number: number) => Scripted);

/** A model that answers from a script: with n answers in the conversation it gives the entry after them. */
export function makeAgent(script: Script, tools: Tool[] = [echo, requestInput()]) {
  const requests: CompletionRequest[] = [];
  const deps: AgentDeps = {
    clock: () => Date.UTC(2026, 10, 21),
    log: silentLog,
    patienceMilliseconds: 900_000,
    tools,
    memory: { read: async () => undefined },
    meter: createFetchMeter(),
    calls: unlimitedCalls(),
    material: keptInMemory(),
    shapeOpening: (messages) => messages,
    reasoning: {
      id: 'scripted',
      contextTokens: 32_768,
      thinkingTokens: () => 0,
      noteThinking: () => false,
      price: () => ({ outputPerMillionTokens: 1_000 }),
      impact: async () => scriptedImpact,
      async complete(request) {
        requests.push(request);
        const answers = request.messages.filter(({ role }) => role === 'assistant').length;
        const scripted =
          typeof script === 'function'
            ? script(request, requests.length)
            : script[Math.min(answers, script.length - 1)]!;
        if (scripted instanceof UpstreamError) throw scripted;
        return toCompletion(scripted);
      },
    },
    readers: {
      isImage: async (url) => url.endsWith('.png'),
      see: async () => ({
        text: 'a cat',
        costs: [{ kind: 'vision', model: 'eyes', inputTokens: 1, outputTokens: 1, amountNanoEuro: 3 }],
      }),
      transcribe: async () => ({
        text: 'Speaker 1: hi',
        costs: [{ kind: 'transcription', model: 'ears', seconds: 2, amountNanoEuro: 4 }],
      }),
    },
  };
  return { deps, requests };
}

export async function collect(
  deps: AgentDeps,
  input: AgentInput = { question: 'q' },
  from: AgentState = initialState,
): Promise<Progress[]> {
  const all: Progress[] = [];
  const noted = noteChanges(from);
  for await (const progress of runAgent(deps, input, from)) {
    noted.add(progress.state);
    all.push(progress);
  }
  return all;
}

/** The state for a worker that takes the run over. */
export const takenOver = (state: AgentState): AgentState => readStored(fromJson(storedState(state)));

const fromJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/**
 * Stores the states of a run by what changes from one to the next, and throws if that leads to another state, or if a state was altered after it
 * was yielded.
 */
function noteChanges(from: AgentState): { add(state: AgentState): void } {
  let before = storedState(from);
  let kept: StoredState = fromJson(before);
  return {
    add(state) {
      const after = storedState(state);
      assert.deepEqual(fromJson(before), kept, 'a state was altered after it was yielded');
      kept = withStateChanges(kept, fromJson(changesBetween(before, after)));
      before = after;
      assert.deepEqual(kept, fromJson(after), 'the changes lead to another state');
    },
  };
}

export const eventsOf = (all: Progress[]): AgentEvent[] => all.flatMap(({ events }) => events);
export const types = (all: Progress[]) => eventsOf(all).map(({ type }) => type);
