import { watchKey } from '@errand/accounts';
import { formatEvent, formatRetry, keepAliveComment } from '@errand/platform';
import type { RunsDeps } from '../deps.ts';
import { isFinished } from '../lifecycle.ts';
import { keyOf, type RunRecord } from '../run.ts';
import type { RunWait } from '../wire.ts';
import { type Aside, followRun, isEvent } from './follow-run.ts';
import { noPlace, takePlace } from './place.ts';
import { pageOfEvents } from './watch-run.ts';

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

export interface StreamControls {
  /** Aborts to end the stream cleanly, for its reader to resume. */
  signal: AbortSignal;
  /** Breaks the connection of a reader who does not read at the moment. */
  cutOff(): void;
}

/** The run's events as server-sent events (docs/api.md, Streaming and replay). */
export async function* streamRun(
  deps: RunsDeps,
  run: RunRecord,
  after: number,
  controls: StreamControls,
): AsyncGenerator<string> {
  yield formatRetry(retryMilliseconds);
  for await (const event of followAsReader(deps, run, after, controls))
    yield isEvent(event) ? formatEvent(event) : commentOf(event);
}

const waitingFor: Record<RunWait['for'], string> = {
  model_provider: 'waiting for the model provider',
  queue: 'waiting for its turn',
  worker: 'waiting for another worker',
  sub_runs: 'waiting for its sub-runs',
};

/** A comment of a stream. Of a wait it says twice what it is: for programs, as `GET` has it, and for people. */
export const commentOf = (aside: Aside): string =>
  aside === 'keep-alive'
    ? keepAliveComment
    : `: waiting ${JSON.stringify(aside)}\n: ${waitingFor[aside.for]}\n\n`;

/**
 * What a reader of the run is sent, as `followRun` yields it. Ends early if the run's key is revoked, and if too many others
 * stream the run.
 */
export async function* followAsReader(
  deps: RunsDeps,
  run: RunRecord,
  after: number,
  { signal: stop, cutOff }: StreamControls,
): ReturnType<typeof followRun> {
  const keyEnded = new AbortController();
  const stopWatching = watchKey(deps, keyOf(run), () => {
    keyEnded.abort();
    cutOff();
  });
  const isShort = isFinished(run.status) && run.lastEventId - after <= pageOfEvents;
  const place = await takePlace(deps, run, { atOnce: !isShort, onLost: cutOff });
  try {
    yield* followRun(deps, run, after, { signal: AbortSignal.any([stop, keyEnded.signal]), place });
  } finally {
    stopWatching();
    await place.leave();
  }
}

/** The run's events for a request that waits for the run's end. The request takes no place among the streams. */
export const followToEnd = (
  deps: RunsDeps,
  run: RunRecord,
  signal: AbortSignal,
): ReturnType<typeof followRun> => followRun(deps, run, 0, { signal, place: noPlace });
