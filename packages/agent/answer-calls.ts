import type { ToolCall } from '@errand/models';
import { limits } from '@errand/platform';
import { makeCall, type PreparedCall, prepareCall } from './call.ts';
import { contextCharacters, cutText, density } from './conversation.ts';
import type { AgentDeps } from './deps.ts';
import type { AgentEvent } from './events.ts';
import type { Fence } from './outside/fence.ts';
import { hasReadOutside, markOutside } from './outside/material.ts';
import type { AgentState, Cost, Progress } from './state.ts';
import type { InputRequest, ToolAnswer, ToolInput } from './tool.ts';

/** The most calls that one commit announces, so that its events fit one transaction. */
const announcedAtOnce = 8;
const callsAtOnce = 4;
/** The largest share of the context for one tool result. */
const resultShare = 0.4;

/**
 * Announces the model's tool calls, makes them in parallel, and answers them in the order of the calls. When aborted, it
 * yields the costs of calls that were made but not answered, then throws: a run that ends there is charged for them.
 */
export async function* answerCalls(
  deps: AgentDeps,
  { question, fence }: { question: string; fence: Fence },
  from: AgentState,
  signal: AbortSignal,
): AsyncGenerator<Progress> {
  let state = from;
  while (state.announced < state.calls.length) {
    const batch = state.calls.slice(state.announced, state.announced + announcedAtOnce);
    state = { ...state, announced: state.announced + batch.length };
    const events = batch.filter((call) => !inputRequest(deps, call)).map(callEvent);
    yield { events, costs: [], state };
  }
  const asks = state.calls.flatMap((call) => inputRequest(deps, call) ?? []);
  const calls = state.calls.filter((call) => !inputRequest(deps, call));
  const prepared = await fence(state, prepareCalls(deps, state, calls));
  const stop = new AbortController();
  const { answers, ready } = startCalls(deps, prepared, {
    signal: AbortSignal.any([signal, stop.signal]),
    afterOutside: hasReadOutside(state),
    question,
  });
  let next = 0;
  try {
    for (const call of calls) {
      const progress = answerCall(deps, state, call, await answers[next]!);
      next++;
      state = progress.state;
      yield progress;
    }
  } catch (error) {
    const costs = ready.slice(next).flatMap((answer, i) => costsOf(state, answer, i));
    if (signal.aborted && costs.length > 0) yield { events: [], costs, state };
    throw error;
  } finally {
    stop.abort();
  }
  const [ask] = asks;
  if (ask) yield askForInput(state, ask);
}

/**
 * The arguments of a `request_input` call, which ends the run. Undefined for any other call and for one with wrong
 * arguments.
 */
function inputRequest(deps: AgentDeps, call: ToolCall): InputRequest | undefined {
  if (call.function.name !== 'request_input') return undefined;
  const prepared = prepareCall(deps.tools, call);
  return 'args' in prepared ? (prepared.args as InputRequest) : undefined;
}

/** The first calls of a completion. The later ones are answered with an error. */
function prepareCalls(deps: AgentDeps, state: AgentState, calls: readonly ToolCall[]): PreparedCall[] {
  const most = limits.toolCallsPerCompletion;
  const left = most - answeredInTurn(state);
  const problem = `Error: This call was not made. At most ${most} calls are made at once: call again with what is still needed.`;
  return calls.map((call, i) => (i < left ? prepareCall(deps.tools, call) : { call, problem }));
}

/**
 * Starts the calls, `callsAtOnce` at a time. A call of an `inOrder` tool also waits for the previous call of such a
 * tool. `ready` has the answers so far, at the index of their call.
 */
function startCalls(deps: AgentDeps, calls: readonly PreparedCall[], input: ToolInput) {
  const started: Promise<ToolAnswer>[] = [];
  const ready: (ToolAnswer | undefined)[] = calls.map(() => undefined);
  let lastInOrder: Promise<ToolAnswer> | undefined;
  for (const [i, prepared] of calls.entries()) {
    const inOrder = 'tool' in prepared && prepared.tool.inOrder;
    const before = [started[i - callsAtOnce] ?? [], (inOrder && lastInOrder) || []].flat();
    const make = () => makeCall(deps.log, prepared, input);
    const answer = before.length > 0 ? Promise.all(before).then(make) : make();
    if (inOrder) lastInOrder = answer;
    // An answer that is awaited throws the abort itself. One that nobody awaits any more must not become an unhandled
    // rejection.
    answer.then(
      (made) => {
        ready[i] = made;
      },
      () => {},
    );
    started.push(answer);
  }
  return { answers: started, ready };
}

const callEvent = ({ function: { name, arguments: input } }: ToolCall): AgentEvent => ({
  type: 'tool_call',
  toolName: name,
  input,
});

function answerCall(deps: AgentDeps, state: AgentState, call: ToolCall, answer: ToolAnswer): Progress {
  const share = contextCharacters(deps.reasoning.contextTokens) * resultShare;
  const room = Math.floor(share / density(answer.text));
  const text = cutText(answer.text, room);
  return {
    events: [{ type: 'tool_result', toolName: call.function.name, result: answer.text }],
    costs: costsOf(state, answer, 0),
    state: {
      ...withKnowledge(state, answer),
      messages: [
        ...state.messages,
        { role: 'tool', tool_call_id: call.id, content: answer.isOutside ? markOutside(text) : text },
      ],
      calls: state.calls.filter((waiting) => waiting !== call),
      announced: state.announced - 1,
    },
  };
}

/** The state with what the model is about to know: material from outside, or a saved value. */
function withKnowledge(state: AgentState, { isOutside, valueName }: ToolAnswer): AgentState {
  const known = valueName === undefined ? [] : [valueName];
  return {
    ...state,
    knownValues: [...new Set([...state.knownValues, ...known])],
    ...(isOutside && { outsideSince: state.outsideSince ?? state.completions }),
  };
}

/** The costs of an answer. `ahead` is the number of unanswered calls before its own. */
function costsOf(state: AgentState, answer: ToolAnswer | undefined, ahead: number): Cost[] {
  const position = answeredInTurn(state) + ahead;
  return (answer?.costs ?? []).map((cost, i) => ({
    ...cost,
    id: `tool-${state.completions}-${position}-${i}`,
  }));
}

function answeredInTurn(state: AgentState): number {
  const lastOther = state.messages.findLastIndex((message) => message.role !== 'tool');
  return state.messages.length - 1 - lastOther;
}

function askForInput(state: AgentState, { message, expected }: InputRequest): Progress {
  return {
    events: [
      { type: 'step_complete', step: state.step },
      { type: 'input_required', message, expected },
    ],
    costs: [],
    state: { ...state, phase: 'ended', stepOpen: false, calls: [], announced: 0 },
  };
}
