import { describeError, pollQueue } from '@errand/platform';
import { queueHandler, type WorkerProcess } from '@errand/runs';
import type { ServiceDeps } from './deps.ts';
import { workerDeps } from './worker.ts';

interface WorkOptions {
  /** Two thirds of them at most are one account's. */
  runsAtOnce: number;
  /** After so long a stop abandons runs in the middle of a step, which another worker repeats. */
  graceMilliseconds: number;
  process?: WorkerProcess;
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
export function workOnQueue(parts: ServiceDeps, options: WorkOptions): Work {
  const { config, aws, log } = parts;
  const draining = new AbortController();
  const abandon = new AbortController();
  const window = { stopping: () => draining.signal.aborted, abandon: abandon.signal };
  const work = queueHandler(workerDeps(parts, options.process));
  let inFlight = 0;
  const polling = pollQueue({
    sqs: aws.sqs,
    queueUrl: config.aws.queueUrl,
    // What works on a message does not ask where it comes from.
    queueArn: '',
    concurrency: options.runsAtOnce,
    // If a process dies while it receives a message, the message must come back no later than a run would.
    visibilityTimeoutSeconds: config.runLeaseSeconds,
    signal: draining.signal,
    onError: (error) => log.error('queue failed', describeError(error)),
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
