import { watchKey } from '@errand/accounts';
import { formatEvent, formatRetry, keepAliveComment } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import { endsStream } from './event-log.ts';
import { followRun, pageOfEvents } from './follow-run.ts';
import { isFinished } from './lifecycle.ts';
import { closeStream, openStream } from './open-stream.ts';
import { keyOf, type RunRecord } from './run.ts';

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

/**
 * The run's events as server-sent events (docs/api.md, Streaming and replay). Ends early if the run's key is revoked,
 * and if too many others stream the run.
 */
export async function* streamRun(
  deps: RunsDeps,
  run: RunRecord,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const keyEnded = new AbortController();
  const stopWatching = watchKey(deps, keyOf(run), () => keyEnded.abort());
  try {
    yield formatRetry(retryMilliseconds);
    yield* writeEvents(deps, run, after, AbortSignal.any([signal, keyEnded.signal]));
  } finally {
    stopWatching();
  }
}

async function* writeEvents(
  deps: RunsDeps,
  run: RunRecord,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const isShort = isFinished(run.status) && run.lastEventId - after <= pageOfEvents;
  const stream = isShort ? undefined : await openStream(deps, run);
  let isOver = stream === undefined;
  try {
    for await (const event of followRun(deps, run, after, { signal, ...(stream && { stream }) })) {
      // The streams of a finished run are few and short: nobody needs to know that this one is closed.
      if (event !== 'keep-alive' && endsStream(event)) isOver = true;
      yield event === 'keep-alive' ? keepAliveComment : formatEvent(event);
    }
  } finally {
    if (stream !== undefined && !isOver) await closeStream(deps, run, stream);
  }
}
