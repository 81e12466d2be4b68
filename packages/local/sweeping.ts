import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type Clock,
  delay,
  describeError,
  type Log,
  localTableDefinitions,
  toSeconds,
} from '@errand/platform';
import { sweepExpired } from './aws/index.ts';
import type { Stoppable } from './stoppable.ts';

const sweepMilliseconds = 60 * 60 * 1000;

/** Sweeps the tables now and every hour, in the background. */
export function startSweeping(deps: { dynamodb: DynamoDBDocumentClient; clock: Clock; log: Log }): Stoppable {
  const { dynamodb, clock, log } = deps;
  const controller = new AbortController();
  const { signal } = controller;
  const warn = (error: unknown) => log.warn('expired items could not be swept', describeError(error));
  const sweepOnAndOn = async () => {
    while (!signal.aborted) {
      const next = delay(sweepMilliseconds, signal);
      next.catch(() => undefined);
      await sweepExpired(dynamodb, localTableDefinitions, toSeconds(clock()), {
        signal,
        onError: warn,
      }).catch((error: unknown) => {
        if (!signal.aborted) warn(error);
      });
      await next;
    }
  };
  const sweeping = sweepOnAndOn().catch(() => undefined);
  return {
    async stop() {
      controller.abort();
      await sweeping;
    },
  };
}
