import type { Clock } from '@errand/platform';
import { pollQueue } from '@errand/platform';
import { deadLetterHandler, queueHandler } from '@errand/runs';
import { type ServiceDeps, workerDeps } from '@errand/service';
import { closeParts, type GroundSettings, groundParts, type Queues } from './ground.ts';
import { type Hooks, hookCalls } from './points.ts';

export type Outcome = 'deleted' | 'kept';

export interface TestWorker {
  /** Stops the worker as the end of its process would: after the current commit or, with `abandon`, in the middle. */
  stop(options?: { abandon?: boolean }): Promise<void>;
  /** The outcome of the next handled message. Each outcome is returned once, in order. */
  handled(): Promise<Outcome>;
}

interface WorkerOptions {
  hooks?: Hooks;
  clock?: Clock;
  parts?: ServiceDeps;
  deadLetters?: boolean;
  leaseSeconds?: number;
}

/** Starts a worker in this process, with AWS clients of its own. */
export async function startTestWorker(
  given: GroundSettings,
  queues: Queues,
  { hooks, clock, deadLetters = false, leaseSeconds = given.leaseSeconds, parts: shared }: WorkerOptions = {},
): Promise<TestWorker> {
  const parts = shared ?? groundParts({ ...given, leaseSeconds }, queues, clock);
  if (hooks) hookCalls(parts.aws, parts.files, hooks);
  const deps = workerDeps(parts);
  const stopping = new AbortController();
  const abandon = new AbortController();
  const window = { stopping: () => stopping.signal.aborted, abandon: abandon.signal };
  const { tell, next } = createTelling<Outcome>();
  const work = queueHandler(deps);
  const polling = pollQueue({
    sqs: parts.aws.sqs,
    queueUrl: deadLetters ? queues.deadLetterQueueUrl : queues.queueUrl,
    concurrency: 32,
    ...(!deadLetters && { visibilityTimeoutSeconds: leaseSeconds }),
    signal: stopping.signal,
    async handler(event) {
      const response = await (deadLetters ? deadLetterHandler(deps)(event) : work(event, window));
      tell(response.batchItemFailures.length === 0 ? 'deleted' : 'kept');
      return response;
    },
  });
  return {
    handled: next,
    async stop({ abandon: atOnce = false } = {}) {
      stopping.abort();
      if (atOnce) abandon.abort();
      await polling;
      if (!shared) closeParts(parts);
    },
  };
}

/** Resolves when a message was deleted: the run that it was for has ended. */
export async function worksOff(worker: TestWorker): Promise<void> {
  while ((await worker.handled()) !== 'deleted');
}

/** A queue of values: `next` returns the oldest value that was not yet returned, or waits for one. */
function createTelling<T>() {
  const untold: T[] = [];
  const asking: ((value: T) => void)[] = [];
  return {
    tell(value: T): void {
      const ask = asking.shift();
      if (ask) ask(value);
      else untold.push(value);
    },
    next: (): Promise<T> =>
      new Promise((resolve) => {
        if (untold.length > 0) resolve(untold.shift() as T);
        else asking.push(resolve);
      }),
  };
}

/** The call before or after which a worker process kills itself: the n-th of its kind. */
export interface Doom {
  kind: string;
  ordinal: number;
  moment: 'before' | 'after';
}

/** What a worker process tells its parent: that it saves a value, or the outcome of a message. */
export type Told = 'save value' | Outcome;
