import { ConditionsFailed, deleteItem, limits, queryPage, toSeconds, updateItem } from '@errand/platform';
import type { RunStoreDeps, RunsDeps } from './deps.ts';
import { activeRunsKey, waitingRunKey, waitingRunPrefix } from './item-keys.ts';
import { expirySeconds, type RunRecord } from './run.ts';

/** Adds a run if there is room. Returns undefined if that succeeds, otherwise the account's active runs. */
export async function addActiveRun(
  deps: RunsDeps,
  { agentId, payer }: RunRecord,
  most: number,
): Promise<string[] | undefined> {
  try {
    await updateItem(deps, {
      condition: 'account-has-room',
      TableName: deps.tables.runs,
      Key: activeRunsKey(payer.accountId),
      UpdateExpression: 'ADD activeRuns :ids SET expiresAtSeconds = :expires',
      ConditionExpression:
        'attribute_not_exists(activeRuns) OR size(activeRuns) < :most OR contains(activeRuns, :id)',
      ExpressionAttributeValues: {
        ':ids': new Set([agentId]),
        ':id': agentId,
        ':most': most,
        // No active run is readable for longer.
        ':expires': toSeconds(deps.clock()) + deps.runReadableSeconds,
      },
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    return runsOf(error.item('account-has-room'));
  }
}

/** Removes runs, and returns the account's other active ones. */
export async function removeActiveRuns(
  deps: RunStoreDeps,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const item = await updateItem(deps, {
    TableName: deps.tables.runs,
    Key: activeRunsKey(accountId),
    // If the item is gone, the update creates a new item, which has to expire too.
    UpdateExpression:
      'DELETE activeRuns :ids SET expiresAtSeconds = if_not_exists(expiresAtSeconds, :expires)',
    ExpressionAttributeValues: { ':ids': new Set(ids), ':expires': toSeconds(deps.clock()) },
    ReturnValues: 'ALL_NEW',
  });
  return runsOf(item);
}

/** DynamoDB removes a set with its last member. */
const runsOf = (item: { activeRuns?: unknown } | undefined): string[] => [
  ...((item?.activeRuns ?? []) as Iterable<string>),
];

/**
 * Notes that a run waits for an active run to end, and that the waiting run's next message is sent now. False if
 * such a message is already on its way.
 */
export async function addWaitingRun(deps: RunStoreDeps, run: RunRecord): Promise<boolean> {
  const now = toSeconds(deps.clock());
  try {
    await updateItem(deps, {
      condition: 'message-due',
      TableName: deps.tables.runs,
      Key: waitingRunKey(run),
      UpdateExpression: 'SET agentId = :id, sentAtSeconds = :now, expiresAtSeconds = :expires',
      ConditionExpression: 'attribute_not_exists(pk) OR NOT sentAtSeconds BETWEEN :lastMessage AND :now',
      ExpressionAttributeValues: {
        ':id': run.agentId,
        ':now': now,
        ':lastMessage': now - limits.waitingRunSeconds + 1,
        ':expires': expirySeconds(run),
      },
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionsFailed) return false;
    throw error;
  }
}

export const removeWaitingRun = (deps: RunStoreDeps, run: RunRecord): Promise<unknown> =>
  deleteItem(deps, { TableName: deps.tables.runs, Key: waitingRunKey(run) });

/** The runs of the account that have waited longest. */
export async function waitingRuns(deps: RunStoreDeps, accountId: string, count: number): Promise<string[]> {
  const { items } = await queryPage<{ agentId: string }>(deps, {
    TableName: deps.tables.runs,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :waiting)',
    ExpressionAttributeValues: { ':pk': activeRunsKey(accountId).pk, ':waiting': waitingRunPrefix },
    Limit: count,
  });
  return items.map(({ agentId }) => agentId);
}
