import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { getItem, localTableNames, transact } from '@errand/platform';
import type { Cloud, CloudFunction } from './cloud.ts';

/** Makes a schedule, and has it be due. */
export async function dueSchedule(cloud: Cloud, agents: CloudFunction, body: object): Promise<string> {
  const response = await agents.request('/v1/schedules', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.statusCode !== 201) throw new Error(`${response.statusCode} ${text}`);
  const { id } = JSON.parse(text) as { id: string };
  await makeDue(cloud, id);
  return id;
}

interface Placed {
  id: string;
  dueMilliseconds?: number;
  nextMilliseconds: number;
  revision: number;
}

/** Has a schedule be looked after by the next call: its next instant was a second ago, if it is to be `instant`. */
export async function makeDue(
  { clients: { dynamodb } }: Pick<Cloud, 'clients'>,
  id: string,
  { instant = true }: { instant?: boolean } = {},
): Promise<void> {
  const TableName = localTableNames.schedules;
  const key = { pk: `SCHEDULE#${id}`, sk: 'SCHEDULE' };
  const schedule = await getItem<Placed>({ dynamodb }, TableName, key);
  if (schedule?.dueMilliseconds === undefined) throw new Error('a schedule that is not due at any time');
  const now = Date.now() - 1_000;
  const entry = { id, dueMilliseconds: now };
  const placed = (due: number) => `${new Date(due).toISOString()}#${id}`;
  const { Items = [] } = await dynamodb.send(
    new ScanCommand({
      TableName,
      FilterExpression: 'sk = :sk',
      ExpressionAttributeValues: { ':sk': placed(schedule.dueMilliseconds) },
    }),
  );
  const pk = Items[0]?.pk as string;
  await transact({ dynamodb }, [
    { Put: { TableName, Item: { ...schedule, ...entry, ...(instant && { nextMilliseconds: now }) } } },
    { Delete: { TableName, Key: { pk, sk: placed(schedule.dueMilliseconds) } } },
    { Put: { TableName, Item: { pk, sk: placed(now), ...entry } } },
  ]);
}

/** Calls the function as its rule does. */
export async function tickOnce(schedules: CloudFunction): Promise<void> {
  const { chunks, failure } = schedules.invoke({ source: 'aws.events' }, { milliseconds: 90_000 });
  for await (const _ of chunks);
  const failed = await failure;
  if (failed) throw new Error(`schedules: ${JSON.stringify(failed)}`);
}
