import { type ToolCall, UpstreamError } from '@errand/models';
import { limits } from '@errand/platform';
import { checkPrompt, contextCharacters, fitConversation, withoutDropped } from './conversation.ts';
import type { AgentDeps } from './deps.ts';
import { type AgentEvent, stepDescriptions } from './events.ts';
import type { AgentState, Cost, Progress } from './state.ts';
import { toolDefinition } from './tool.ts';
import { waitFor } from './wait.ts';

const maxRounds = { loop: limits.roundsPerRun, check: 1 } as const;

/** Quick ones: a run that has to wait for longer gives its worker back. */
const attempts = { first: 3, afterPause: 2 };

type ThinkingState = AgentState & { phase: 'loop' | 'check' };

/** Makes one completion, which ends in tool calls, in the loop's answer or in the run's answer. */
export async function* think(
  deps: AgentDeps,
  state: ThinkingState,
  signal: AbortSignal,
): AsyncGenerator<Progress> {
  if (!state.stepOpen) {
    const step = state.step + 1;
    const events: AgentEvent[] = [{ type: 'step_start', step, description: stepDescriptions[state.phase] }];
    yield { events, costs: [], state: { ...state, step, stepOpen: true } };
    return;
  }
  const mustAnswer = state.rounds >= maxRounds[state.phase];
  let completion: Awaited<ReturnType<typeof complete>>;
  try {
    completion = await complete(deps, state, mustAnswer, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UpstreamError)) throw error;
    const pause = waitFor(deps, state, error);
    if (pause) return yield pause;
    deps.log.warn('model failed', { kind: error.kind, status: error.status });
    yield state.phase === 'check' ? finish(state, '', []) : fail(state, describeUpstream(error));
    return;
  }
  const { text, calls, cost, messages } = completion;
  if (calls.length > 0) yield callTools({ ...state, messages }, text, calls, cost);
  else if (state.phase === 'check') yield finish(state, text, [cost]);
  else yield answerLoop(state, mustAnswer && text.trim() === '' ? lastTextWritten(state) : text, cost);
}

const noAnswerReached = 'No answer was reached in the rounds of tool calls that a run may make.';

/** The last text that the model wrote, as the answer of a run that reached the cap of rounds and got no text at its end. */
function lastTextWritten({ messages }: AgentState): string {
  const texts = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content === 'string' ? [content.trim()] : [],
  );
  return texts.findLast(Boolean) ?? noAnswerReached;
}

async function complete(deps: AgentDeps, state: ThinkingState, mustAnswer: boolean, signal: AbortSignal) {
  const { reasoning } = deps;
  const number = state.completions + 1;
  const fitted = fitConversation(state.messages, contextCharacters(reasoning.contextTokens));
  const completion = await reasoning.complete(
    {
      messages: fitted,
      tools: deps.tools.map(toolDefinition),
      tool_choice: mustAnswer ? 'none' : 'auto',
      max_tokens: limits.outputTokensPerCompletion,
    },
    {
      signal,
      attempts: state.waiting ? attempts.afterPause : attempts.first,
      timeoutMilliseconds:
        state.phase === 'check' ? limits.checkCompletionMilliseconds : limits.completionMilliseconds,
    },
  );
  const { message, usage } = completion;
  const cost: Cost = {
    id: `completion-${number}`,
    kind: 'completion',
    model: reasoning.id,
    inputTokens: usage.inputTokens,
    cachedInputTokens: usage.cachedInputTokens,
    outputTokens: usage.outputTokens,
    amountNanoEuro: reasoning.costNanoEuro(usage),
  };
  const calls = mustAnswer ? [] : (message.tool_calls ?? []).map((call, i) => withId(call, number, i));
  return { text: message.content ?? '', calls, cost, messages: withoutDropped(state.messages, fitted) };
}

/** Some servers leave out the id of a call, or the arguments if there are none. */
const withId = (call: ToolCall, completion: number, i: number): ToolCall => ({
  id: call.id || `call_${completion}_${i}`,
  type: 'function',
  function: {
    name: call.function.name,
    arguments: call.function.arguments.trim() ? call.function.arguments : '{}',
  },
});

const textEvents = (text: string): AgentEvent[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

function callTools(state: AgentState, text: string, calls: ToolCall[], cost: Cost): Progress {
  return {
    events: textEvents(text),
    costs: [cost],
    state: {
      ...state,
      rounds: state.rounds + 1,
      completions: state.completions + 1,
      messages: [...state.messages, { role: 'assistant', content: text || null, tool_calls: calls }],
      calls: [...calls.filter((call) => !isInputRequest(call)), ...calls.filter(isInputRequest)],
      announced: 0,
    },
  };
}

const isInputRequest = (call: ToolCall) => call.function.name === 'request_input';

function answerLoop(state: AgentState, text: string, cost: Cost): Progress {
  return {
    events: [...textEvents(text), { type: 'step_complete', step: state.step }],
    costs: [cost],
    state: {
      ...state,
      phase: 'check',
      stepOpen: false,
      rounds: 0,
      completions: state.completions + 1,
      answer: text,
      messages: [
        ...state.messages,
        { role: 'assistant', content: text },
        { role: 'user', content: checkPrompt },
      ],
    },
  };
}

/** Ends the run with the check's text, or with the loop's answer if the check has none. */
function finish(state: AgentState, text: string, costs: Cost[]): Progress {
  const answer = text.trim() === '' ? state.answer : text;
  const ended: AgentState = { ...state, phase: 'ended', stepOpen: false, answer };
  if (answer.trim() === '') return { ...fail(state, 'The model gave no answer.'), costs };
  return {
    events: [
      { type: 'text', text: answer },
      { type: 'step_complete', step: state.step },
      { type: 'done', finalText: answer },
    ],
    costs,
    state: ended,
  };
}

/** Ends the run with an `error` event. */
export function fail(state: AgentState, message: string): Progress {
  return {
    events: [{ type: 'error', message }],
    costs: [],
    state: { ...state, phase: 'ended', stepOpen: false, calls: [] },
  };
}

function describeUpstream(error: UpstreamError): string {
  switch (error.kind) {
    case 'refused':
      return 'The model refused the request.';
    case 'timeout':
      return 'The model did not answer in time.';
    case 'unreadable':
      return 'The model gave an answer that could not be read.';
    default:
      return 'The model could not be reached.';
  }
}
