import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ConditionsFailed, DomainError, type Principal } from '@errand/platform';
import { commitProgress } from './commit.ts';
import type { RunsDeps } from './deps.ts';
import { itemKeys } from './item-keys.ts';
import { isFinished } from './lifecycle.ts';
import type { RunRecord } from './run.ts';
import { readRun } from './store.ts';
import { cancelledMessage } from './worker/drive-run.ts';

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
    if (idle ? await endNow(deps, run) : await ask(deps, run)) return (await readRun(deps, agentId)) ?? run;
  }
}

async function endNow(deps: RunsDeps, run: RunRecord): Promise<boolean> {
  try {
    const events = [{ type: 'error' as const, message: cancelledMessage }];
    await commitProgress(deps, run, { token: undefined }, { events, costs: [] });
    deps.signals.send(run.agentId, 'progress');
    return true;
  } catch (error) {
    if (error instanceof ConditionsFailed) return false;
    throw error;
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
