import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { limits, newUuid, toIso } from '@errand/platform';
import type { RunStoreDeps } from './deps.ts';
import { itemKeys } from './item-keys.ts';
import { isFinished, statusCondition } from './lifecycle.ts';
import type { RunRecord } from './run.ts';
import { readRun } from './store.ts';

export interface LeaseDeps extends RunStoreDeps {
  leaseMilliseconds: number;
}

/** What came of trying to take a run. */
export type Claim =
  | { kind: 'claimed'; run: RunRecord; token: string }
  | { kind: 'held'; untilMilliseconds: number }
  /** Its workers died too often: whoever reads this ends it. */
  | { kind: 'poisoned'; run: RunRecord }
  | { kind: 'over' };

/**
 * Takes the run if nobody holds it. A lease that ran out is a death of its worker and counts; one that was given back
 * does not. The token fences: with a new one in place, the old holder's writes fail.
 */
export async function claimRun(deps: LeaseDeps, agentId: string): Promise<Claim> {
  const token = newUuid();
  for (;;) {
    const run = await readRun(deps, agentId);
    if (!run || isFinished(run.status)) return { kind: 'over' };
    // A claim whose answer got lost is refused when it is sent again, though it is ours.
    if (run.leaseToken === token) return { kind: 'claimed', run, token };
    const now = deps.clock();
    const until = run.leaseUntilMilliseconds ?? 0;
    if (run.leaseToken !== undefined && until > now) return { kind: 'held', untilMilliseconds: until };
    const deaths = run.deaths + (run.leaseToken === undefined ? 0 : 1);
    if (deaths >= limits.deathsPerRun) return { kind: 'poisoned', run };
    const claimed = await takeLease(deps, run, { token, deaths, now });
    if (claimed) return { kind: 'claimed', run: claimed, token };
  }
}

async function takeLease(
  deps: LeaseDeps,
  run: RunRecord,
  lease: { token: string; deaths: number; now: number },
): Promise<RunRecord | undefined> {
  const status = statusCondition('claim');
  const unchanged =
    run.leaseToken === undefined ? 'attribute_not_exists(leaseToken)' : 'leaseToken = :before';
  return updateRun(deps, run.agentId, {
    UpdateExpression:
      'SET #status = :to, leaseToken = :token, leaseUntilMilliseconds = :until, deaths = :deaths, updatedAt = :at',
    ConditionExpression: `${status.condition} AND ${unchanged} AND (attribute_not_exists(leaseUntilMilliseconds) OR leaseUntilMilliseconds <= :now)`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ...status.values,
      ...(run.leaseToken !== undefined && { ':before': run.leaseToken }),
      ':token': lease.token,
      ':until': lease.now + deps.leaseMilliseconds,
      ':deaths': lease.deaths,
      ':now': lease.now,
      ':at': toIso(lease.now),
    },
  });
}

/** Keeps the lease for another term. Undefined if it is no longer ours. */
export async function renewLease(
  deps: LeaseDeps,
  agentId: string,
  token: string,
): Promise<RunRecord | undefined> {
  return updateRun(deps, agentId, {
    UpdateExpression: 'SET leaseUntilMilliseconds = :until',
    ConditionExpression: 'leaseToken = :token',
    ExpressionAttributeValues: { ':token': token, ':until': deps.clock() + deps.leaseMilliseconds },
  });
}

/** Gives the run back for others to go on with. `died`: it is counted as a death, since this work went wrong. */
export async function releaseLease(
  deps: RunStoreDeps,
  agentId: string,
  token: string,
  { died }: { died: boolean },
): Promise<void> {
  await updateRun(deps, agentId, {
    UpdateExpression:
      'SET sentAtMilliseconds = :now REMOVE leaseToken, leaseUntilMilliseconds ADD deaths :died',
    ConditionExpression: 'leaseToken = :token',
    ExpressionAttributeValues: { ':token': token, ':died': died ? 1 : 0, ':now': deps.clock() },
  });
}

interface RunUpdate {
  UpdateExpression: string;
  ConditionExpression: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues: Record<string, unknown>;
}

/** The run after the update, or undefined if the condition did not hold. */
async function updateRun(
  deps: RunStoreDeps,
  agentId: string,
  update: RunUpdate,
): Promise<RunRecord | undefined> {
  try {
    const { Attributes } = await deps.dynamodb.send(
      new UpdateCommand({
        TableName: deps.tables.runs,
        Key: itemKeys.run(agentId),
        ReturnValues: 'ALL_NEW',
        ...update,
      }),
    );
    return Attributes as RunRecord;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
