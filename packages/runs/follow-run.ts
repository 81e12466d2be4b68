import { delay, limits } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import { endsStream, readEvents, type StoredEvent } from './event-log.ts';
import { isFinished } from './lifecycle.ts';
import { resendIfForgotten } from './resend.ts';
import type { RunRecord } from './run.ts';
import { readRun } from './store.ts';

const pageOfEvents = 50;
/** Waits between polls: short while events come, longer the longer none does. */
const pollMilliseconds = [100, 200, 300, 500, 1_000];

export interface FollowOptions {
  /** Ends the stream cleanly: the client resumes by id. */
  signal: AbortSignal;
}

/**
 * The events after an id, then each new one as it is committed, until the terminal one; `keep-alive` whenever nothing
 * has come for a while. Ends without a terminal event only when stopped or when the run is gone.
 */
export async function* followRun(
  deps: RunsDeps,
  run: RunRecord,
  after: number,
  { signal }: FollowOptions,
): AsyncGenerator<StoredEvent | 'keep-alive'> {
  let last = after;
  let idlePolls = 0;
  let heard = false;
  let quietSince = deps.clock();
  const doorbell = listen(deps, run.agentId);
  try {
    while (!signal.aborted) {
      const rung = doorbell.next();
      const before = last;
      for await (const event of readEvents(deps, run.agentId, last, pageOfEvents)) {
        yield event;
        if (endsStream(event)) return;
        last = event.id;
      }
      if (last > before) {
        idlePolls = 0;
        quietSince = deps.clock();
        continue;
      }
      // Progress without an event after this id: the client's id may be past the run's last one.
      if (heard && !(await isAlive(deps, run.agentId, last))) return;
      if (deps.clock() - quietSince >= limits.keepAliveMilliseconds - 1_000) {
        yield 'keep-alive';
        quietSince = deps.clock();
        if (!(await isAlive(deps, run.agentId, last))) return;
      }
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

/** Whether more can come. Also where a run that nobody has taken up for long is sent again. */
async function isAlive(deps: RunsDeps, agentId: string, last: number): Promise<boolean> {
  const run = await readRun(deps, agentId);
  if (!run) return false;
  await resendIfForgotten(deps, run);
  return !isFinished(run.status) || last < run.lastEventId;
}

/** `next()` resolves with the next signal of progress, also one that comes while nobody is waiting. */
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
