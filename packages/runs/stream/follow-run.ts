import type { AgentEvent } from '@errand/agent';
import { isAwsTrouble, isDomainError, limits } from '@errand/platform';
import type { RunsDeps } from '../deps.ts';
import { endsStream, type StoredEvent } from '../event-log.ts';
import { isFinished } from '../lifecycle.ts';
import type { RunRecord } from '../run.ts';
import { waitOf } from '../run-wait.ts';
import type { RunWait } from '../wire.ts';
import type { RunHead } from './head-store.ts';
import type { StreamPlace } from './place.ts';
import { warnRarely } from './requests.ts';
import { watchRun } from './watch-run.ts';

interface FollowOptions {
  /** Aborts to end the stream without a terminal event. The client then resumes after the last id. */
  signal: AbortSignal;
  /** The stream ends when it has lost its place. */
  place: StreamPlace;
}

/** What a reader is told beside the run's events: what the run waits for, or that its stream lives. */
export type Aside = RunWait | 'keep-alive';

/** An event of the run has a number. */
export const isEvent = (news: StoredEvent | Aside): news is StoredEvent =>
  typeof news === 'object' && 'id' in news;

/**
 * Yields the events after an id, then each new event as it is committed, up to the terminal one. Yields
 * `keep-alive` when no event has come for a while, or what the run waits for; the first time this comes at once. Ends without a terminal event only if it is stopped, others have taken its place, or the
 * run is gone. A store that is away for a while makes events late.
 */
export async function* followRun(
  deps: RunsDeps,
  run: RunRecord,
  after: number,
  { signal, place }: FollowOptions,
): AsyncGenerator<StoredEvent | Aside> {
  const watch = watchRun(deps, run, signal);
  let last = after;
  let told: RunWait['for'] | undefined;
  let quietSince = deps.clock();
  const isQuiet = () => isCommentDue(deps.clock() - quietSince);
  try {
    while (!signal.aborted) {
      const seen = watch.progress();
      const before = last;
      let isUnread = false;
      try {
        const { events, openStreams, more } = await watch.read(last);
        for await (const event of events) {
          if (signal.aborted) return;
          yield event;
          if (endsStream(event)) return;
          last = event.id;
          quietSince = deps.clock();
          told = undefined;
        }
        if (!place.noteRead(openStreams) && (await place.isLost())) return;
        if (more && last > before) continue;
      } catch (error) {
        if (isDomainError(error, 'not_found') && isFinished(run.status)) {
          yield notKept(run);
          return;
        }
        if (!isAwsTrouble(error)) throw error;
        warnRarely(deps, 'events not read', error, { agentId: run.agentId });
        isUnread = true;
      }
      const isNews = (head: RunHead) =>
        isUnread || isQuiet() || isFurther(head, last) || isUntold(waitOf(head, deps.clock()), told);
      const news = await watch.next(seen, (head) => !place.noteRead(head.openStreams) || isNews(head));
      if (news === 'gone') return;
      if (typeof news === 'string') continue;
      // The id may lie past the last one.
      if (isFinished(news.status) && last >= news.lastEventId) return;
      const wait = waitOf(news, deps.clock());
      if (!isQuiet() && !isUntold(wait, told)) continue;
      told = wait?.for;
      yield wait ?? 'keep-alive';
      quietSince = deps.clock();
    }
  } finally {
    watch.stop();
  }
}

/** In place of the events that are left of a run whose texts are gone, so that its readers do not come back for them. */
function notKept({ lastEventId, updatedAt }: RunRecord): StoredEvent {
  const event: AgentEvent = { type: 'error', message: 'The events of this run are not kept any more.' };
  return { id: lastEventId, name: event.type, data: JSON.stringify(event), at: updatedAt };
}

/** A negative time means that the clock went back: how long the run has been quiet is then unknown. */
const isCommentDue = (quietMilliseconds: number) =>
  quietMilliseconds < 0 || quietMilliseconds >= limits.keepAliveMilliseconds - 1_000;

/** Whether the run has events after this one, or none will come. */
const isFurther = (head: RunHead, last: number) => head.lastEventId > last || isFinished(head.status);

/** Whether a reader is to be told at once what the run waits for. */
const isUntold = (wait: RunWait | undefined, told: RunWait['for'] | undefined): boolean =>
  wait !== undefined && wait.for !== told;
