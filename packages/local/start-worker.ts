import { delay, describeError, limits, pollQueue } from '@errand/platform';
import { deadLetterHandler, resendUnfinished, type WorkerProcess, workOnQueue } from '@errand/runs';
import { type ServiceDeps, sendHandler, workerDeps } from '@errand/service';
import { resendEarlierWebhooks, resendWebhooks } from '@errand/webhooks';
import type { LocalQueues } from './queues.ts';
import type { Front } from './stoppable.ts';
import { startTicking } from './ticking.ts';

/** `limits.webhookAttemptsPerAccount` of them at most wait for the receivers of one account. */
const webhooksAtOnce = 96;

/** Works on the queue's messages and its dead letters, sends webhooks, and starts the runs of schedules. On stop, a run is handed on after its next commit. */
export async function startWorker(
  parts: ServiceDeps,
  queues: LocalQueues,
  options: { resend: boolean; process?: WorkerProcess },
): Promise<Front> {
  const deps = workerDeps(parts, options.process);
  const graceMilliseconds = limits.shutdownGraceMilliseconds;
  const runs = workOnQueue(deps, { runsAtOnce: parts.config.runsAtOnce, graceMilliseconds });
  const draining = new AbortController();
  const abandon = new AbortController();
  const { sqs } = parts.aws;
  const onError = (error: unknown) => parts.log.error('queue failed', describeError(error));
  const shared = { sqs, signal: draining.signal, onError };
  const polls = [
    pollQueue({
      ...shared,
      queueUrl: queues.deadLetterQueueUrl,
      concurrency: 1,
      handler: deadLetterHandler(deps),
    }),
    pollQueue({
      ...shared,
      queueUrl: queues.webhookQueueUrl,
      concurrency: webhooksAtOnce,
      handler: sendHandler(parts, abandon.signal),
    }),
  ];
  const schedules = startTicking(parts);
  const resending = options.resend ? resend(deps, draining.signal) : Promise.resolve();
  return {
    inFlight: runs.inFlight,
    force() {
      runs.force();
      abandon.abort();
    },
    async stop() {
      draining.abort();
      const timer = setTimeout(() => abandon.abort(), graceMilliseconds);
      await Promise.all([runs.stop(), ...polls, resending, schedules.stop()]);
      clearTimeout(timer);
    },
  };
}

const retryMilliseconds = 5_000;

/** Puts back into the queue what it has lost, until all of it is there: nobody has to wait for that. */
async function resend(deps: ReturnType<typeof workerDeps>, signal: AbortSignal): Promise<void> {
  const onError = (error: unknown) => deps.log.error('queue not filled again', describeError(error));
  const pace = { signal, onError };
  for (const send of [resendUnfinished, resendWebhooks, resendEarlierWebhooks])
    while (!signal.aborted)
      try {
        await send(deps, pace);
        break;
      } catch (error) {
        if (signal.aborted) return;
        onError(error);
        await delay(retryMilliseconds, signal).catch(() => undefined);
      }
}
