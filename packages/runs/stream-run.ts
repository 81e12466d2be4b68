import { formatEvent, formatRetry, keepAliveComment } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import { followRun } from './follow-run.ts';
import { isFinished } from './lifecycle.ts';
import type { RunRecord } from './run.ts';

const retryMilliseconds = 1_000;

/** The id to resume after. If the header is no event id it is 0, which replays everything. */
export function parseLastEventId(value: string | undefined): number {
  return value !== undefined && /^[1-9]\d*$/.test(value)
    ? Math.min(Number(value), Number.MAX_SAFE_INTEGER)
    : 0;
}

/** Whether a reader at this id has seen the terminal event, which is the last one. */
export const hasSeenAll = (run: RunRecord, after: number): boolean =>
  isFinished(run.status) && after >= run.lastEventId;

/** The run's events as server-sent events (docs/api.md, Streaming and replay). */
export async function* streamRun(
  deps: RunsDeps,
  run: RunRecord,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield formatRetry(retryMilliseconds);
  for await (const event of followRun(deps, run, after, { signal })) {
    yield event === 'keep-alive' ? keepAliveComment : formatEvent(event);
  }
}
