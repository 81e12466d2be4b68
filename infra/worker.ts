import type { Functions } from './api.ts';
import { batchFor, type FittedConcurrency } from './concurrency.ts';
import { createFunction, type Surroundings } from './create-function.ts';
import { createLiveAlias } from './live.ts';
import { hasWorkerContainers } from './network.ts';
import type { FunctionName } from './permissions.ts';

/** Attempts that an invocation makes at once: each waits for a receiver of its own. */
const attemptsAtOnce = 10;

const liveArn = (name: FunctionName, made: sst.aws.Function): $util.Output<string> =>
  $dev ? made.arn : createLiveAlias(name, made).arn;

/** Makes the consumers of the queues. */
export function createWorker(
  surroundings: Surroundings,
  { runs, sendersAtOnce }: FittedConcurrency,
): Functions {
  const { stores } = surroundings;
  const environment = { RUNS_PER_INVOCATION: String(runs.runs) };
  const worker = createFunction('worker', surroundings, { environment });
  const deadLetters = createFunction('dead-letters', surroundings);
  const batch = { size: 1, partialResponses: true };
  stores.queue.work.subscribe(liveArn('worker', worker), {
    // No window: with one run in the queue nothing waits for a second. An account alone leaves places free, as in `createGroupShares`.
    batch: { ...batch, size: batchFor(runs.runs) },
    transform: {
      eventSourceMapping: {
        // The function stays: without containers, the next deploy has it work again.
        enabled: !hasWorkerContainers(surroundings.settings),
        scalingConfig: { maximumConcurrency: runs.invocations },
      },
    },
  });
  stores.queue.deadLetters.subscribe(liveArn('dead-letters', deadLetters), {
    batch,
    transform: { eventSourceMapping: { scalingConfig: { maximumConcurrency: 2 } } },
  });
  const webhooks = createFunction('webhooks', surroundings);
  stores.queue.webhooks.subscribe(liveArn('webhooks', webhooks), {
    batch: { size: attemptsAtOnce, partialResponses: true },
    transform: { eventSourceMapping: { scalingConfig: { maximumConcurrency: sendersAtOnce } } },
  });
  // A delivery is handed on for three days.
  new aws.lambda.FunctionRecursionConfig('WebhooksRecursion', {
    functionName: webhooks.name,
    recursiveLoop: 'Allow',
  });
  // A long run is handed on through the queue. AWS would take that for a loop and stop it at the 16th invocation.
  new aws.lambda.FunctionRecursionConfig('WorkerRecursion', {
    functionName: worker.name,
    recursiveLoop: 'Allow',
  });
  return { worker, webhooks, 'dead-letters': deadLetters };
}
