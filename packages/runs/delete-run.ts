import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchDelete, DomainError, type Principal } from '@errand/platform';
import { deleteRunFiles } from '@errand/uploads';
import type { RunStoreDeps, RunsDeps } from './deps.ts';
import { itemKeys, payloadPrefix } from './item-keys.ts';
import { isFinished } from './lifecycle.ts';
import type { RunRecord } from './run.ts';
import { readRun } from './store.ts';

/** Removes a run's items, the head first: from then on nobody can read it, and its idempotency key is free again. */
export async function deleteRunItems(
  deps: RunStoreDeps,
  run: Pick<RunRecord, 'agentId' | 'keyId' | 'createdAt' | 'idempotencyKey'>,
): Promise<void> {
  const { dynamodb, tables } = deps;
  const TableName = tables.runs;
  const { agentId, keyId, createdAt, idempotencyKey } = run;
  await dynamodb.send(new DeleteCommand({ TableName, Key: itemKeys.run(agentId) }));
  const single = [itemKeys.listing(keyId, createdAt, agentId)];
  if (idempotencyKey !== undefined) single.push(itemKeys.idempotency(keyId, idempotencyKey));
  for (const Key of single) await dynamodb.send(new DeleteCommand({ TableName, Key }));
  let start: Record<string, unknown> | undefined;
  do {
    const page = await dynamodb.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': itemKeys.run(agentId).pk },
        ProjectionExpression: 'pk, sk',
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    await batchDelete(deps, TableName, page.Items ?? []);
    start = page.LastEvaluatedKey;
  } while (start);
  await deps.files.deletePrefix(payloadPrefix(agentId));
}

/** Deletes a finished run of this key with its events, payloads and files. `not_found`, `run_not_finished`. */
export async function deleteRun(deps: RunsDeps, principal: Principal, agentId: string): Promise<void> {
  const run = await readRun(deps, agentId);
  if (!run || run.keyId !== principal.keyId) throw new DomainError('not_found');
  if (!isFinished(run.status)) throw new DomainError('run_not_finished');
  await deleteRunItems(deps, run);
  await deleteRunFiles(deps, agentId);
}
