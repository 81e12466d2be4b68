import { type Item, queryAll, scanPages } from '@errand/platform';
import type { TestDynamo } from '../../support/dynamodb.ts';
import { endRun } from './processes.ts';

export interface Outcome {
  at: string;
  status: string;
  agentId?: string;
  missed?: number;
}

export const outcomesOf = (dynamo: TestDynamo, id: string): Promise<Outcome[]> =>
  queryAll<Outcome>(dynamo, {
    TableName: dynamo.tables.schedules,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': `SCHEDULE#${id}`, ':prefix': 'OUTCOME#' },
  });

export async function runsOf(dynamo: TestDynamo, scheduleId: string): Promise<string[]> {
  const found: string[] = [];
  const scan = {
    TableName: dynamo.tables.runs,
    FilterExpression: 'sk = :run AND scheduleId = :id',
    ExpressionAttributeValues: { ':run': 'RUN', ':id': scheduleId },
  };
  for await (const page of scanPages<{ agentId: string }>(dynamo, scan))
    found.push(...page.map(({ agentId }) => agentId));
  return found;
}

/** Ends the runs that the outcomes say are running. */
export async function endOpenRuns(dynamo: TestDynamo, id: string): Promise<void> {
  for (const { agentId, status } of await outcomesOf(dynamo, id))
    if (agentId !== undefined && status === 'running') await endRun(dynamo, agentId, 'succeeded', 'Done.');
}

/** A schedule's items, and its place among what is due. */
export async function itemsOf(dynamo: TestDynamo, id: string): Promise<Item[]> {
  const found: Item[] = [];
  const scan = {
    TableName: dynamo.tables.schedules,
    FilterExpression: 'pk = :pk OR id = :id',
    ExpressionAttributeValues: { ':pk': `SCHEDULE#${id}`, ':id': id },
  };
  for await (const page of scanPages<Item>(dynamo, scan)) found.push(...page);
  return found;
}
