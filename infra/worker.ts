import type { Functions } from './api.ts';
import { createFunction, type Surroundings } from './create-function.ts';

/** Makes the consumers of the queue and of its dead letters. */
export function createWorker(surroundings: Surroundings): Functions {
  const { settings, stores } = surroundings;
  const worker = createFunction('worker', surroundings);
  const deadLetters = createFunction('dead-letters', surroundings);
  const batch = { size: 1, partialResponses: true };
  stores.queue.work.subscribe(worker.arn, {
    batch,
    transform: { eventSourceMapping: { scalingConfig: { maximumConcurrency: settings.runsAtOnce } } },
  });
  stores.queue.deadLetters.subscribe(deadLetters.arn, {
    batch,
    transform: { eventSourceMapping: { scalingConfig: { maximumConcurrency: 2 } } },
  });
  // A long run is handed on through the queue. AWS would take that for a loop and stop it at the 16th invocation.
  new aws.lambda.FunctionRecursionConfig('WorkerRecursion', {
    functionName: worker.name,
    recursiveLoop: 'Allow',
  });
  return { worker, 'dead-letters': deadLetters };
}
