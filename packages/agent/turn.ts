import type { ToolCall } from '@errand/models';
import { limits } from '@errand/platform';
import { answeredInTurn } from './answer-call.ts';
import { askedOf } from './ask-caller.ts';
import { type PreparedCall, prepareCall } from './call.ts';
import type { AskedCall } from './data.ts';
import type { AgentDeps } from './deps.ts';
import { notNow } from './offered-tools.ts';
import { withoutBegun } from './start-calls.ts';
import type { Acting } from './state.ts';
import { type Investigation, investigationOf } from './sub-runs/plan-sub-runs.ts';
import type { InputRequest, Tool } from './tool.ts';

/** The calls of a completion, before anybody is asked about them. */
interface PlannedTurn {
  /** The calls within the limit of a completion, as the model's arguments allow. */
  wanted: PreparedCall[];
  /** The calls past the limit, which are answered with an error. */
  pastLimit: ToolCall[];
  /** How many calls of the completion had an answer before. */
  answered: number;
  /** The input that the model asks for, which ends the run. */
  request?: InputRequest;
}

/** The calls of a completion, as they are made. */
export interface Turn extends Omit<PlannedTurn, 'wanted'> {
  /** The calls that are made. */
  made: ToolCall[];
  /** The same calls as they can be made. */
  prepared: PreparedCall[];
  /** The calls that have sub-runs work, which are answered after all others. */
  investigations: Investigation[];
  /** The calls that the caller makes, or has to approve: they end the run. */
  asked: AskedCall[];
  /** How many calls of the state, from the first, are answered in this run. */
  answerable: number;
}

/** Prepares the calls. The state knows the saved values that they name. */
export function planTurn({ tools }: AgentDeps, given: Acting): { planned: PlannedTurn; state: Acting } {
  const [request] = given.calls.flatMap((call) => inputRequest(tools, given, call) ?? []);
  const calls = given.calls.filter((call) => !inputRequest(tools, given, call));
  const answered = answeredInTurn(given);
  const left = Math.max(0, limits.toolCallsPerCompletion - answered);
  const wanted = calls.slice(0, left).map((call) => {
    const problem = call.id === given.cutCall ? cutProblem(call) : notNow(given, call.function.name);
    return problem === undefined ? prepareCall(tools, call) : { call, problem };
  });
  const knownValues = [...new Set([...given.knownValues, ...wanted.flatMap(valueNames)])];
  return {
    planned: { wanted, pastLimit: calls.slice(left), answered, request },
    state: { ...given, knownValues },
  };
}

/**
 * Sorts the calls: `fenced` are those within the limit, once it is known which of them must not be made. As many as `lost`, from the first, act
 * and were begun by an earlier worker.
 */
export function sortTurn(
  deps: AgentDeps,
  { wanted: _, ...planned }: PlannedTurn,
  given: Acting,
  fenced: readonly PreparedCall[],
  lost = 0,
): { turn: Turn; state: Acting } {
  const { asked, checked } = askedOf(deps, given, fenced);
  const isAsked = ({ id }: ToolCall) => asked.some((one) => one.id === id);
  const open = checked.filter(({ call }) => !isAsked(call));
  const investigations = open.flatMap((each) => investigationOf(deps, each) ?? []);
  const own = open.filter((each) => !investigationOf(deps, each));
  const made = own.map(({ call }) => call);
  const answerable = [...made, ...investigations.map(({ prepared: { call } }) => call), ...planned.pastLimit];
  // Calls are counted from the first: those that the caller answers come last.
  const calls = [...answerable, ...given.calls.filter((call) => !answerable.includes(call))];
  const prepared = withoutBegun(own, lost);
  const turn = { ...planned, made, prepared, investigations, asked, answerable: answerable.length };
  return { turn, state: { ...given, calls } };
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

/** A model that is told only that its arguments are wrong writes the same call again. */
const cutProblem = ({ function: { name } }: ToolCall): string =>
  `Error: This call of ${name} was not made: it was cut off, because one message has at most ${limits.outputTokensPerCompletion} tokens. ` +
  (name === 'save_file'
    ? 'Save the file in parts: the first with save_file, each further one with save_file and append set to true.'
    : 'Make the call again with shorter arguments.');

const valueNames = (prepared: PreparedCall): string[] => {
  const name = 'tool' in prepared ? prepared.tool.valueName?.(prepared.args) : undefined;
  return name === undefined ? [] : [name];
};
