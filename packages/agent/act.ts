import type { ToolCall } from '@errand/models';
import { limits } from '@errand/platform';
import type { RunDeps } from './answer/answer-form.ts';
import { afterAnswer, answerCall, answeredInTurn, isUntold } from './answer-call.ts';
import { askCaller, askedOf, judgeCalls } from './ask-caller.ts';
import { isJson, type PreparedCall, prepareCall } from './call.ts';
import { contextLeft } from './context/size.ts';
import type { AgentInput } from './conversation.ts';
import type { AgentEvent, AskedCall } from './data.ts';
import { notNow } from './offered-tools.ts';
import { type Fence, readsOwnUpload } from './outside/fence.ts';
import { hasReadOutside } from './outside/material.ts';
import { readingRoom } from './reading/reading-room.ts';
import { actingFrom, startCalls, withoutBegun } from './start-calls.ts';
import type { Acting, Progress } from './state.ts';
import type { InputRequest, Tool } from './tool.ts';

/** The most calls that one commit announces or leaves out, so that its events fit one transaction. */
const eventsAtOnce = 8;

/** The calls of a completion, as they are made. */
interface Turn {
  /** The calls that are made, within the limit of a completion. */
  made: ToolCall[];
  /** The same calls as they can be made. */
  prepared: PreparedCall[];
  /** The calls past the limit, which are answered with an error. */
  pastLimit: ToolCall[];
  /** How many calls of the completion had an answer before. */
  answered: number;
  /** The input that the model asks for, which ends the run. */
  request?: InputRequest;
  /** The calls that the caller makes, or has to approve: they end the run. */
  asked: AskedCall[];
  /** How many calls of the state, from the first, are answered in this run. */
  answerable: number;
}

/** Announces the model's tool calls, makes them in parallel, and answers them in the order of the calls. */
export async function* act(
  deps: RunDeps,
  input: AgentInput & { fence: Fence },
  given: Acting,
  signal: AbortSignal,
): AsyncGenerator<Progress> {
  const { turn, state } = yield* openTurn(deps, input, given, signal);
  const announced = yield* announce(deps, turn, state);
  const done = yield* answerCalls(deps, input, turn, announced, signal);
  const left = yield* leaveOut(deps, done, turn.pastLimit);
  if (left.calls.length > 0) yield askCaller(left, turn);
}

async function* openTurn(
  deps: RunDeps,
  input: AgentInput & { fence: Fence },
  given: Acting,
  signal: AbortSignal,
): AsyncGenerator<Progress, { turn: Turn; state: Acting }> {
  const { tools } = deps;
  const [request] = given.calls.flatMap((call) => inputRequest(tools, given, call) ?? []);
  const calls = given.calls.filter((call) => !inputRequest(tools, given, call));
  const answered = answeredInTurn(given);
  const left = Math.max(0, limits.toolCallsPerCompletion - answered);
  const within = calls.slice(0, left);
  const wanted = within.map((call) => {
    const problem = call.id === given.cutCall ? cutProblem(call) : notNow(given, call.function.name);
    return problem === undefined ? prepareCall(tools, call) : { call, problem };
  });
  const knownValues = [...new Set([...given.knownValues, ...wanted.flatMap(valueNames)])];
  const known = { ...given, knownValues };
  const fenced = await input.fence(known, wanted);
  const state = yield* judgeCalls(deps, input.question, known, fenced, signal);
  const { asked, checked } = askedOf(deps, state, fenced);
  const isAsked = ({ id }: ToolCall) => asked.some((one) => one.id === id);
  const made = within.filter((call) => !isAsked(call));
  const pastLimit = calls.slice(left);
  const answerable = [...made, ...pastLimit];
  // Calls are counted from the first: those that the caller answers come last.
  const sorted = [...answerable, ...given.calls.filter((call) => !answerable.includes(call))];
  const prepared = withoutBegun(
    checked.filter(({ call }) => !isAsked(call)),
    given.begun,
  );
  const turn = { made, prepared, pastLimit, answered, request, asked, answerable: answerable.length };
  return { turn, state: { ...state, calls: sorted } };
}

/** Marks the calls that act and come next as begun. Whoever hands the run on begins no more of them. */
function marked({ isStopping }: RunDeps, { prepared }: Turn, state: Acting, next: number): Acting {
  const begun = Math.max(state.begun ?? 0, isStopping?.() ? 0 : actingFrom(prepared, next));
  return { ...state, begun: begun || undefined };
}

/** Commits the events of the calls, and which calls that act are about to begin. */
async function* announce(deps: RunDeps, turn: Turn, given: Acting): AsyncGenerator<Progress, Acting> {
  let state = given;
  while (state.announced < turn.answerable) {
    const batch = state.calls
      .slice(0, turn.answerable)
      .slice(state.announced, state.announced + eventsAtOnce);
    const announced = state.announced + batch.length;
    state = { ...state, announced };
    if (announced === turn.answerable) state = marked(deps, turn, state, 0);
    const told = batch.filter((call) => !isUntold(call));
    const events = told.map((call) => callEvent(call, state.judged?.[call.id]));
    yield { events, costs: [], state, isIntent: state.begun === undefined ? undefined : true };
  }
  if (actingFrom(turn.prepared, 0) > 0 && !state.begun) {
    state = marked(deps, turn, state, 0);
    yield { events: [], costs: [], state, isIntent: true };
  }
  return state;
}

async function* answerCalls(
  deps: RunDeps,
  input: AgentInput,
  turn: Turn,
  given: Acting,
  signal: AbortSignal,
): AsyncGenerator<Progress, Acting> {
  const { made, prepared, answered } = turn;
  const stop = new AbortController();
  const toolInput = {
    signal: AbortSignal.any([signal, stop.signal]),
    afterOutside: hasReadOutside(given),
    question: input.question,
    sources: given.sources,
    room: readingRoom(contextLeft(deps), made.length),
    savedFiles: new Map(Object.entries(given.savedFiles)),
    savedOutside: new Set(given.savedOutside),
  };
  const started = startCalls(deps, prepared, toolInput, (i) =>
    [given.step, given.completions, answered + i].join('-'),
  );
  started.letBegin(given.begun ?? 0);
  let state = given;
  try {
    for (const [i, call] of made.entries()) {
      const answer = await started.answers[i]!;
      if (readsOwnUpload(prepared[i]!, input, state))
        state = { ...state, readings: withNewParts(state.readings, answer.text) };
      const progress = await answerCall(deps, state, call, answer);
      const next = i + 1;
      state = marked(deps, turn, progress.state, next);
      yield { ...progress, state: afterAnswer(deps, state) };
      started.letBegin(next + (state.begun ?? 0));
    }
  } finally {
    stop.abort();
  }
  return state;
}

/**
 * The arguments of a `request_input` call, which ends the run. Undefined for any other call, for one with wrong arguments and
 * where there is an answer.
 */
function inputRequest(tools: readonly Tool[], state: Acting, call: ToolCall): InputRequest | undefined {
  const { name } = call.function;
  if (name !== 'request_input' || notNow(state, name) !== undefined) return undefined;
  const prepared = prepareCall(tools, call);
  return 'args' in prepared ? (prepared.args as InputRequest) : undefined;
}

/** Answers the calls past the limit of a completion. */
async function* leaveOut(
  deps: RunDeps,
  given: Acting,
  calls: readonly ToolCall[],
): AsyncGenerator<Progress, Acting> {
  const text = `Error: This call was not made: a turn may make ${limits.toolCallsPerCompletion}.`;
  let state = given;
  for (let i = 0; i < calls.length; i += eventsAtOnce) {
    const events: AgentEvent[] = [];
    for (const call of calls.slice(i, i + eventsAtOnce)) {
      const answered = await answerCall(deps, state, call, { text });
      events.push(...answered.events);
      state = answered.state;
    }
    yield { events, costs: [], state: afterAnswer(deps, state) };
  }
  return state;
}

const callEvent = (
  { function: { name, arguments: input } }: ToolCall,
  probability: number | undefined,
): AgentEvent => ({
  type: 'tool_call',
  toolName: name,
  input: toJson(input),
  approval: probability === undefined ? undefined : { probability },
});

/** A model may write anything as arguments. Text that is not JSON becomes a JSON string of that text. */
const toJson = (text: string): string => (isJson(text) ? text : JSON.stringify(text));

/** A model that is told only that its arguments are wrong writes the same call again. */
const cutProblem = ({ function: { name } }: ToolCall): string =>
  `Error: This call of ${name} was not made: it was cut off, because one message has at most ${limits.outputTokensPerCompletion} tokens. ` +
  (name === 'save_file'
    ? 'Save the file in parts: the first with save_file, each further one with save_file and append set to true.'
    : 'Make the call again with shorter arguments.');

/**
 * Adds the paragraphs of a text that were not read before, so that reading a file again does not make the readings
 * longer.
 */
function withNewParts(readings: readonly string[], text: string): string[] {
  const known = new Set(readings.flatMap((reading) => reading.split('\n\n')));
  const added = text.split('\n\n').filter((part) => !known.has(part));
  return added.length === 0 ? [...readings] : [...readings, added.join('\n\n')];
}

const valueNames = (prepared: PreparedCall): string[] => {
  const name = 'tool' in prepared ? prepared.tool.valueName?.(prepared.args) : undefined;
  return name === undefined ? [] : [name];
};
