import { delay, limits } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import { endsStream, readEvents, type StoredEvent } from './event-log.ts';
import { isFinished } from './lifecycle.ts';
import { resendIfForgotten } from './resend.ts';
import type { RunRecord } from './run.ts';
import { readRun } from './store.ts';
import type { StreamPlace } from './stream-place.ts';

export const pageOfEvents = 50;
/** The waits between polls. They grow while no event comes, and start again after each event. */
const pollMilliseconds = [100, 200, 300, 500, 1_000];

export interface FollowOptions {
  /** Aborts to end the stream without a terminal event. The client then resumes after the last id. */
  signal: AbortSignal;
  /** The stream ends when it has lost its place. */
  place: StreamPlace;
}

/**
 * Yields the events after an id, then each new event as it is committed, up to the terminal one. Yields `keep-alive`
 * when no event has come for a while, or `waiting` if the run waits for a provider, and that one also at once. Ends
 * without a terminal event only if it is stopped, others have taken its place, or the run is gone.
 */
export async function* followRun(
  deps: RunsDeps,
  run: RunRecord,
  after: number,
  { signal, place }: FollowOptions,
): AsyncGenerator<StoredEvent | 'keep-alive' | 'waiting'> {
  let last = after;
  let idlePolls = 0;
  let heard = run.waitsForProvider === true;
  let toldOfWait = false;
  let quietSince = deps.clock();
  const doorbell = listen(deps, run.agentId);
  try {
    while (!signal.aborted) {
      const rung = doorbell.next();
      const before = last;
      const { events, openStreams } = await readEvents(deps, run.agentId, last, pageOfEvents);
      for await (const event of events) {
        if (signal.aborted) return;
        yield event;
        if (endsStream(event)) return;
        last = event.id;
      }
      const mayGoOn = place.noteRead(openStreams);
      if (!mayGoOn) return;
      if (last > before) {
        idlePolls = 0;
        quietSince = deps.clock();
        toldOfWait = false;
        continue;
      }
      const quiet = deps.clock() - quietSince;
      // A negative time: the clock went back, and how long it has been quiet is not known.
      const isDue = quiet < 0 || quiet >= limits.keepAliveMilliseconds - 1_000;
      // Progress without an event after this id: the run waits, or the id lies past the run's last one.
      const now = heard || isDue ? await lookAt(deps, run.agentId, last) : undefined;
      if (now === 'over') return;
      if (isDue || (now === 'waiting' && !toldOfWait)) {
        yield now === 'waiting' ? 'waiting' : 'keep-alive';
        quietSince = deps.clock();
      }
      toldOfWait ||= now === 'waiting';
      const wait = pollMilliseconds[Math.min(idlePolls++, pollMilliseconds.length - 1)]!;
      heard = await Promise.race([
        rung.then(() => true),
        delay(wait, signal).then(
          () => false,
          () => false,
        ),
      ]);
    }
  } finally {
    doorbell.stop();
  }
}

/** Whether more events can come. Sends the run's message again if no worker took it for long. */
async function lookAt(deps: RunsDeps, agentId: string, last: number): Promise<'alive' | 'waiting' | 'over'> {
  const run = await readRun(deps, agentId);
  if (!run) return 'over';
  await resendIfForgotten(deps, run);
  if (isFinished(run.status)) return last < run.lastEventId ? 'alive' : 'over';
  return run.waitsForProvider ? 'waiting' : 'alive';
}

/** `next()` resolves with the first signal of progress after its call, even if it is not awaited by then. */
function listen(deps: RunsDeps, agentId: string) {
  let ring = () => {};
  const stop = deps.signals.listen(agentId, 'progress', () => ring());
  return {
    stop,
    next: () =>
      new Promise<void>((resolve) => {
        ring = resolve;
      }),
  };
}
