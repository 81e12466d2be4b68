import { perConnection } from '@errand/platform';
import type { RunsDeps } from '../deps.ts';
import type { EventRead } from '../event-log.ts';
import type { RunHead } from './head-store.ts';

/** What ended the wait of a reader. */
export type News =
  /** The run as it was at a poll. */
  | RunHead
  /** The run made progress in this process. */
  | 'progress'
  /** The run was deleted or has expired. */
  | 'gone'
  /** The reader was stopped. */
  | 'stopped';

/** A reader that waits for news of its run. */
export interface Waiting {
  isNews(head: RunHead): boolean;
  wake(news: News): void;
  fail(error: unknown): void;
}

/** A run that readers of this process follow. */
export interface Watch {
  deps: RunsDeps;
  agentId: string;
  readers: number;
  waiting: Set<Waiting>;
  /** Reads of events that are under way, by the id after which they begin. */
  reads: Map<number, Promise<EventRead>>;
  /** How often progress was noticed. A read that began before the last time may miss events. */
  progress: number;
  /** The id of the last event at the newest poll. */
  lastEventId: number | undefined;
  /** The polls since the last progress. */
  idlePolls: number;
  /** On the clock of `performance.now`. Infinite while no reader waits, and during a poll. */
  dueAt: number;
  polling: boolean;
  resendLookAt: number;
  stopListening(): void;
}

export interface Watches {
  all: Map<string, Watch>;
  timer: ReturnType<typeof setTimeout> | undefined;
  timerAt: number;
}

/** The runs that this process watches, and the timer of the next poll. */
export const watchesOf = perConnection(
  (): Watches => ({ all: new Map(), timer: undefined, timerAt: Number.POSITIVE_INFINITY }),
);

/** From now on events are read anew, and polls come quickly. */
export function noteProgress(watch: Watch): void {
  watch.progress++;
  watch.reads.clear();
  watch.idlePolls = 0;
}
