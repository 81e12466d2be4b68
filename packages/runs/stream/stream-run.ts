import { watchKey } from '@errand/accounts';
import { formatEvent, formatRetry, keepAliveComment } from '@errand/platform';
import type { RunsDeps } from '../deps.ts';
import { isFinished } from '../lifecycle.ts';
import { keyOf, type RunRecord } from '../run.ts';
import { followRun } from './follow-run.ts';
import { takePlace } from './place.ts';
import { pageOfEvents } from './watch-run.ts';

const retryMilliseconds = 1_000;
const waitingComment = ': waiting for the model provider\n\n';

/** The id to resume after. If the header is no event id it is 0, which replays everything. */
export function parseLastEventId(value: string | undefined): number {
  return value !== undefined && /^[1-9]\d*$/.test(value)
    ? Math.min(Number(value), Number.MAX_SAFE_INTEGER)
    : 0;
}

/** Whether a reader at this id has seen the terminal event, which is the last one. */
export const hasSeenAll = (run: RunRecord, after: number): boolean =>
  isFinished(run.status) && after >= run.lastEventId;

export interface StreamControls {
  /** Aborts to end the stream cleanly, for its reader to resume. */
  signal: AbortSignal;
  /** Breaks the connection of a reader who does not read at the moment. */
  cutOff(): void;
}

/**
 * The run's events as server-sent events (docs/api.md, Streaming and replay). Ends early if the run's key is revoked,
 * and if too many others stream the run.
 */
export async function* streamRun(
  deps: RunsDeps,
  run: RunRecord,
  after: number,
  { signal, cutOff }: StreamControls,
): AsyncGenerator<string> {
  const keyEnded = new AbortController();
  const stopWatching = watchKey(deps, keyOf(run), () => {
    keyEnded.abort();
    cutOff();
  });
  try {
    yield formatRetry(retryMilliseconds);
    const controls = { signal: AbortSignal.any([signal, keyEnded.signal]), cutOff };
    yield* writeEvents(deps, run, after, controls);
  } finally {
    stopWatching();
  }
}

async function* writeEvents(
  deps: RunsDeps,
  run: RunRecord,
  after: number,
  { signal, cutOff }: StreamControls,
): AsyncGenerator<string> {
  const isShort = isFinished(run.status) && run.lastEventId - after <= pageOfEvents;
  const place = await takePlace(deps, run, { atOnce: !isShort, onLost: cutOff });
  try {
    for await (const event of followRun(deps, run, after, { signal, place })) {
      if (event === 'keep-alive') yield keepAliveComment;
      else yield event === 'waiting' ? waitingComment : formatEvent(event);
    }
  } finally {
    await place.leave();
  }
}
