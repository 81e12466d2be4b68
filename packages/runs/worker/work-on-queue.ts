import { pollQueue } from '@errand/platform';
import type { WorkerDeps } from './deps.ts';
import { queueHandler, receiving } from './sqs-handler.ts';

interface WorkOptions {
  /** Two thirds of them at most are one account's. */
  runsAtOnce: number;
  /** After so long a stop abandons runs in the middle of a step, which another worker repeats. */
  graceMilliseconds: number;
}

/** What works on the queue until it is stopped. */
interface Work {
  /** Takes no more messages. Resolves once each run has ended, or was handed on after its next commit. */
  stop(): Promise<void>;
  /** Ends the grace period of a stop that has begun. */
  force(): void;
  /** The messages in work. */
  inFlight(): number;
}

/** Works on the messages of the work queue in this process, many at once. */
export function workOnQueue(deps: WorkerDeps, options: WorkOptions): Work {
  const draining = new AbortController();
  const abandon = new AbortController();
  const window = { stopping: () => draining.signal.aborted, abandon: abandon.signal };
  const work = queueHandler(deps);
  let inFlight = 0;
  const polling = pollQueue({
    ...receiving(deps),
    concurrency: options.runsAtOnce,
    signal: draining.signal,
    handler: (event) => {
      inFlight++;
      return work(event, window).finally(() => inFlight--);
    },
  });
  return {
    inFlight: () => inFlight,
    force: () => abandon.abort(),
    async stop() {
      draining.abort();
      const timer = setTimeout(() => abandon.abort(), options.graceMilliseconds);
      await polling;
      clearTimeout(timer);
    },
  };
}
