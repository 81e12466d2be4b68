import { ConditionsFailed, getItem, updateItem } from '@errand/platform';
import type { RunStoreDeps } from '../deps.ts';
import { itemKeys } from '../item-keys.ts';
import { expirySeconds, type RunRecord } from '../run.ts';

export interface StreamsItem {
  sk?: string;
  openStreams?: ReadonlySet<string>;
}

/** DynamoDB removes a set with its last member. */
export const openStreamsOf = (item: StreamsItem | undefined): ReadonlySet<string> | undefined =>
  item && (item.openStreams ?? new Set());

/** Adds a stream to the run's open ones, and returns all of them. */
export async function addStream(deps: RunStoreDeps, run: RunRecord, stream: string): Promise<string[]> {
  const item = await updateItem(deps, {
    TableName: deps.tables.runs,
    Key: itemKeys.streams(run.agentId),
    UpdateExpression: 'ADD openStreams :streams SET expiresAtSeconds = :expires',
    ExpressionAttributeValues: { ':streams': new Set([stream]), ':expires': expirySeconds(run) },
    ReturnValues: 'ALL_NEW',
  });
  return [...((item?.openStreams ?? []) as Iterable<string>)];
}

/** Removes streams from the run's open ones. The item of a deleted run stays deleted. */
export async function removeStreams(
  deps: RunStoreDeps,
  run: RunRecord,
  streams: readonly string[],
): Promise<void> {
  try {
    await updateItem(deps, {
      condition: 'streams-known',
      TableName: deps.tables.runs,
      Key: itemKeys.streams(run.agentId),
      UpdateExpression: 'DELETE openStreams :streams',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':streams': new Set(streams) },
    });
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
  }
}

/** The run's open streams; undefined if none was counted yet. */
export async function readStreams(
  deps: RunStoreDeps,
  run: RunRecord,
): Promise<ReadonlySet<string> | undefined> {
  const key = itemKeys.streams(run.agentId);
  return openStreamsOf(await getItem<StreamsItem>(deps, deps.tables.runs, key));
}
