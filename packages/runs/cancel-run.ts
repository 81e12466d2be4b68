import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { DomainError, type Principal } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import { cancelledMessage, endRun } from './end-run.ts';
import { itemKeys } from './item-keys.ts';
import { isFinished } from './lifecycle.ts';
import type { RunRecord } from './run.ts';
import { readRun } from './store.ts';

/**
 * Asks a run to stop; it ends `failed`. One that nobody works on ends here, another when its worker hears of it, at
 * the latest after the call that it is making. A finished run stays as it is. `not_found`.
 */
export async function cancelRun(deps: RunsDeps, principal: Principal, agentId: string): Promise<RunRecord> {
  for (;;) {
    const run = await readRun(deps, agentId);
    if (!run || run.keyId !== principal.keyId) throw new DomainError('not_found');
    if (isFinished(run.status)) return run;
    const idle = run.leaseToken === undefined || (run.leaseUntilMilliseconds ?? 0) <= deps.clock();
    const done = idle ? await endRun(deps, run, cancelledMessage) : await ask(deps, run);
    if (done) return (await readRun(deps, agentId)) ?? run;
  }
}

async function ask(deps: RunsDeps, run: RunRecord): Promise<boolean> {
  try {
    await deps.dynamodb.send(
      new UpdateCommand({
        TableName: deps.tables.runs,
        Key: itemKeys.run(run.agentId),
        UpdateExpression: 'SET cancelRequested = :true',
        ConditionExpression: 'leaseToken = :token',
        ExpressionAttributeValues: { ':true': true, ':token': run.leaseToken },
      }),
    );
    deps.signals.send(run.agentId, 'cancel');
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
