import type { RunsDeps } from '../deps.ts';
import { type EventRead, readEvents } from '../event-log.ts';
import type { RunRecord } from '../run.ts';
import type { RunHead } from './head-store.ts';
import { planPoll } from './poll-heads.ts';
import { inTurn } from './requests.ts';
import { type News, noteProgress, type Waiting, type Watch, watchesOf } from './run-watches.ts';

export const pageOfEvents = 50;

/** A reader's share in the watch of its run. */
interface RunWatch {
  /** Changes with the run's progress. A read that began before that may miss events. */
  progress(): number;
  /** Reads a page of the events after an id. Readers at the same place share one read. */
  read(after: number): Promise<EventRead>;
  /** Resolves when there was progress since `seen`, at a poll with news, and when the signal aborts. */
  next(seen: number, isNews: (head: RunHead) => boolean): Promise<News>;
  stop(): void;
}

/**
 * Watches a run for a reader. All readers of a run in this process share its polls and the reads of its new events, and
 * one request polls many runs. Signals of this process bring progress sooner.
 */
export function watchRun(deps: RunsDeps, run: RunRecord, signal: AbortSignal): RunWatch {
  const watches = watchesOf(deps).all;
  const watch = watches.get(run.agentId) ?? startWatch(deps, run.agentId);
  watch.readers++;
  let waiting: Waiting | undefined;
  let isNew = true;
  const stop = () => waiting?.wake('stopped');
  signal.addEventListener('abort', stop);
  return {
    progress: () => watch.progress,
    read: (after) => readTogether(watch, run, after),
    next(seen, isNews) {
      if (signal.aborted) return Promise.resolve('stopped');
      if (watch.progress !== seen) return Promise.resolve('progress');
      if (isNew) watch.idlePolls = 0;
      isNew = false;
      const { promise, resolve, reject } = Promise.withResolvers<News>();
      const end = () => {
        if (waiting) watch.waiting.delete(waiting);
        waiting = undefined;
      };
      waiting = {
        isNews,
        wake(news) {
          end();
          resolve(news);
        },
        fail(error) {
          end();
          reject(error);
        },
      };
      watch.waiting.add(waiting);
      planPoll(watch);
      return promise;
    },
    stop() {
      signal.removeEventListener('abort', stop);
      if (--watch.readers > 0) return;
      watch.stopListening();
      watches.delete(run.agentId);
    },
  };
}

function startWatch(deps: RunsDeps, agentId: string): Watch {
  const watch: Watch = {
    deps,
    agentId,
    readers: 0,
    waiting: new Set(),
    reads: new Map(),
    progress: 0,
    lastEventId: undefined,
    idlePolls: 0,
    dueAt: Number.POSITIVE_INFINITY,
    polling: false,
    resendLookAt: deps.clock(),
    stopListening: deps.signals.listen(agentId, 'progress', () => {
      noteProgress(watch);
      for (const reader of [...watch.waiting]) reader.wake('progress');
    }),
  };
  watchesOf(deps).all.set(agentId, watch);
  return watch;
}

function readTogether(watch: Watch, run: RunRecord, after: number): Promise<EventRead> {
  const { deps, agentId, reads } = watch;
  const known = reads.get(after);
  if (known) return known;
  const read = inTurn(deps, run, () => readEvents(deps, agentId, after, pageOfEvents)).finally(() => {
    if (reads.get(after) === read) reads.delete(after);
  });
  reads.set(after, read);
  return read;
}
