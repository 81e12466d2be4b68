import { makeCall, type PreparedCall } from './call.ts';
import type { AgentDeps } from './deps.ts';
import type { ToolAnswer, ToolInput } from './tool.ts';

const callsAtOnce = 4;

/**
 * Starts the calls, `callsAtOnce` at a time. A call of an `inOrder` tool also waits for the previous call of such a
 * tool.
 */
export function startCalls(
  deps: AgentDeps,
  calls: readonly PreparedCall[],
  input: ToolInput,
): Promise<ToolAnswer>[] {
  const started: Promise<ToolAnswer>[] = [];
  let lastInOrder: Promise<ToolAnswer> | undefined;
  for (const [i, prepared] of calls.entries()) {
    const inOrder = 'tool' in prepared && prepared.tool.inOrder;
    const before = [started[i - callsAtOnce] ?? [], (inOrder && lastInOrder) || []].flat();
    const make = () => makeCall(deps.log, prepared, input);
    const answer = before.length > 0 ? Promise.all(before).then(make) : make();
    if (inOrder) lastInOrder = answer;
    // An answer that is awaited throws the abort itself. One that nobody awaits any more must not become an unhandled
    // rejection.
    answer.catch(() => {});
    started.push(answer);
  }
  return started;
}
