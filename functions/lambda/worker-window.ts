import { limits } from '@errand/platform';
import type { TakingWindow } from '@errand/service';
import type { LambdaContext } from './runtime.ts';

/**
 * Runs the work within the invocation's time. Some minutes before the end, no further run is begun. Near the end, a run is handed on after its next commit, and begins no
 * more calls that act. Shortly before the end, it is abandoned in the middle of a step, which another worker repeats.
 */
export async function withinInvocation<T>(
  context: LambdaContext,
  work: (window: TakingWindow) => Promise<T>,
): Promise<T> {
  const abandon = new AbortController();
  const left = context.getRemainingTimeInMillis() - limits.invocationAbandonMilliseconds;
  const timer = setTimeout(() => abandon.abort(), Math.max(0, left));
  const stopping = () => context.getRemainingTimeInMillis() < limits.invocationHandOverMilliseconds;
  const takes = () => context.getRemainingTimeInMillis() > limits.invocationTakeMilliseconds;
  try {
    return await work({ stopping, takes, abandon: abandon.signal });
  } finally {
    clearTimeout(timer);
  }
}
