import { makeCall, type PreparedCall } from './call.ts';
import type { AgentDeps } from './deps.ts';
import { lostAnswer, type ToolAnswer, type ToolInput } from './tool.ts';

export const callsAtOnce = 4;

/** Whether the call may change something in the world, so that it must not be made twice unawares. */
const acts = (prepared: PreparedCall): boolean => 'tool' in prepared && prepared.tool.acts === true;

/** The calls as they can be made, where an earlier worker has begun the first `begun` of them: one that acts is not made again. */
export const withoutBegun = (calls: readonly PreparedCall[], begun = 0): PreparedCall[] =>
  calls.map((prepared, i) => {
    const { call } = prepared;
    const mayRepeat = i >= begun || ('tool' in prepared && !acts(prepared));
    return mayRepeat ? prepared : { call, problem: lostAnswer(call.function.name) };
  });

/**
 * How many calls from this one on act, one behind the other, as many as are made at once. They are the next that may begin:
 * a call that acts waits until each call before it is answered or acts too, so that its own answer is committed as soon as it is there.
 */
export function actingFrom(calls: readonly PreparedCall[], next: number): number {
  const following = calls.slice(next, next + callsAtOnce);
  const other = following.findIndex((prepared) => !acts(prepared));
  return other < 0 ? following.length : other;
}

interface StartedCalls {
  answers: Promise<ToolAnswer>[];
  /** Lets the calls that act begin, up to this one. That they begin must be committed before. */
  letBegin(end: number): void;
}

/**
 * Starts the calls, `callsAtOnce` at a time. A call of an `inOrder` tool also waits for the previous call of such a
 * tool, and one that acts for `letBegin`.
 */
export function startCalls(
  deps: AgentDeps,
  calls: readonly PreparedCall[],
  input: Omit<ToolInput, 'callKey'>,
  callKey: (index: number) => string,
): StartedCalls {
  const gates = calls.map(() => Promise.withResolvers<void>());
  const { signal } = input;
  const onAbort = () => {
    for (const gate of gates) gate.reject(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const answers: Promise<ToolAnswer>[] = [];
  let lastInOrder: Promise<ToolAnswer> | undefined;
  for (const [i, prepared] of calls.entries()) {
    const gate = gates[i]!.promise;
    // An awaited answer throws the abort itself. What nobody awaits any more must not become an unhandled rejection.
    gate.catch(() => {});
    const inOrder = 'tool' in prepared && prepared.tool.inOrder;
    const before: Promise<unknown>[] = [
      answers[i - callsAtOnce] ?? [],
      (inOrder && lastInOrder) || [],
      acts(prepared) ? gate : [],
    ].flat();
    const make = () => makeCall(deps.log, prepared, { ...input, callKey: callKey(i) });
    const answer = before.length > 0 ? Promise.all(before).then(make) : make();
    if (inOrder) lastInOrder = answer;
    answer.catch(() => {});
    answers.push(answer);
  }
  return {
    answers,
    letBegin(end) {
      for (const gate of gates.slice(0, end)) gate.resolve();
    },
  };
}
