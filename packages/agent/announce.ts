import type { ToolCall } from '@errand/models';
import type { RunDeps } from './answer/answer-form.ts';
import { isUntold } from './answer-call.ts';
import { toJudge } from './ask-caller.ts';
import { isJson } from './call.ts';
import type { AgentEvent } from './data.ts';
import type { Fence } from './outside/fence.ts';
import { actingFrom } from './start-calls.ts';
import type { Acting, Progress } from './state.ts';
import { planTurn, sortTurn, type Turn } from './turn.ts';

/** Marks the calls that act and come next as begun. Whoever hands the run on begins no more of them. */
export function marked({ isStopping }: RunDeps, { prepared }: Turn, state: Acting, next: number): Acting {
  const begun = Math.max(state.begun ?? 0, isStopping?.() ? 0 : actingFrom(prepared, next));
  return { ...state, begun: begun || undefined };
}

/** The piece that announces the calls of the turn, and says which calls that act are about to begin. */
export function announcement(deps: RunDeps, turn: Turn, given: Acting): Progress & { state: Acting } {
  const state = marked(deps, turn, { ...given, announced: turn.answerable }, 0);
  // Earlier releases have announced the calls of one completion in several commits.
  const told = given.calls.slice(given.announced, turn.answerable).filter((call) => !isUntold(call));
  return {
    events: told.map((call) => callEvent(call, state.judged?.[call.id])),
    costs: [],
    state,
    isIntent: state.begun === undefined ? undefined : true,
  };
}

/**
 * The announcement of a turn, for the commit of the completion that calls its tools. Undefined where a network, a store or money has to
 * be asked before: the completion is committed by itself then, because what fails there must not lose it.
 */
export function announceAtOnce(deps: RunDeps, fence: Fence, given: Acting): Progress | undefined {
  const { planned, state: known } = planTurn(deps, given);
  const { turn, state } = sortTurn(deps, planned, known, planned.wanted);
  const { wanted, pastLimit } = planned;
  // A call that must not be made is announced like any other, but neither begins nor asks the caller.
  const dependsOnFence = turn.asked.length > 0 || actingIn(turn);
  const waits =
    toJudge(deps, known, wanted).length > 0 ||
    (dependsOnFence && fence.isNeeded(known, wanted)) ||
    // Whoever goes on from the sorted calls would count them anew.
    (turn.asked.length > 0 && pastLimit.length > 0) ||
    // What is lent to sub-runs is known with their announcement.
    turn.investigations.length > 0;
  return waits || turn.answerable === 0 ? undefined : announcement(deps, turn, state);
}

const actingIn = ({ prepared }: Turn): boolean => prepared.some((_, i) => actingFrom(prepared, i) > 0);

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
