import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AgentInput, AgentState } from '@errand/agent';
import { batchGet, ConditionsFailed, isUuid, type NamedWrite, toSeconds, transact } from '@errand/platform';
import type { ResolvedSkill } from '@errand/skills';
import type { RunStoreDeps } from './deps.ts';
import { itemKeys, payloadPrefix } from './item-keys.ts';
import { type Payload, packPayload, unpackPayload } from './payload.ts';
import type { RunRecord } from './run.ts';

/** What a run works on, written once at creation. */
export interface RunInput {
  agent: AgentInput;
  skill?: ResolvedSkill;
  /** Origin that links to saved files are made with. */
  origin: string;
  requestId: string;
  /** Objects of the upload that the run reads; they go when the run does. */
  uploadKey?: string;
}

export interface IdempotencyClaim {
  key: string;
  bodyHash: string;
}

/** What a skill shows of itself in the headers of a response. */
export type ShownSkill = Omit<ResolvedSkill, 'block'>;

/** A claim that was made: by which request, and for which run. */
export interface TakenClaim {
  agentId: string;
  bodyHash: string;
  skill?: ShownSkill;
}

export const expirySeconds = (run: Pick<RunRecord, 'expiresAt'>): number =>
  toSeconds(Date.parse(run.expiresAt));

/** Writes run, input, listing and (if asked) the idempotency claim: `ConditionsFailed` with `idempotency-new` if that is taken. */
export async function putRun(
  deps: RunStoreDeps,
  run: RunRecord,
  input: RunInput,
  idempotency?: IdempotencyClaim,
): Promise<void> {
  const { agentId, keyId, createdAt } = run;
  const packed = await packPayload(deps.files, `${payloadPrefix(agentId)}input.json`, JSON.stringify(input));
  const expiresAtSeconds = expirySeconds(run);
  const put = (key: { pk: string; sk: string }, item: object, condition: string): NamedWrite => ({
    condition,
    Put: {
      TableName: deps.tables.runs,
      Item: { ...key, ...item, expiresAtSeconds },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  });
  const writes = [
    put(itemKeys.run(agentId), run, 'run-new'),
    put(itemKeys.input(agentId), packed, 'input-new'),
    put(itemKeys.listing(keyId, createdAt, agentId), { agentId }, 'listing-new'),
  ];
  if (idempotency) writes.push(claimIdempotency(deps, run, idempotency, input.skill));
  try {
    await transact(deps, writes);
  } catch (error) {
    // Refused, the run was not written: its input is nobody's. Any other failure may have come after the write.
    const refused = error instanceof ConditionsFailed && !error.has('run-new');
    if (refused && 'stored' in packed) await deps.files.delete(packed.stored).catch(() => {});
    throw error;
  }
}

function claimIdempotency(
  deps: RunStoreDeps,
  run: RunRecord,
  { key, bodyHash }: IdempotencyClaim,
  resolved: ResolvedSkill | undefined,
): NamedWrite {
  const { block: _, ...skill } = resolved ?? { block: '' };
  return {
    condition: 'idempotency-new',
    Put: {
      TableName: deps.tables.runs,
      Item: {
        ...itemKeys.idempotency(run.keyId, key),
        agentId: run.agentId,
        bodyHash,
        ...(resolved && { skill }),
        expiresAtSeconds: expirySeconds(run),
      },
      // TTL deletes late: a claim past its time counts as gone.
      ConditionExpression: 'attribute_not_exists(pk) OR expiresAtSeconds <= :now',
      ExpressionAttributeValues: { ':now': toSeconds(deps.clock()) },
    },
  };
}

export async function readIdempotency(
  deps: RunStoreDeps,
  keyId: string,
  key: string,
): Promise<TakenClaim | undefined> {
  const { Item } = await deps.dynamodb.send(
    new GetCommand({
      TableName: deps.tables.runs,
      Key: itemKeys.idempotency(keyId, key),
      ConsistentRead: true,
    }),
  );
  return Item && Item.expiresAtSeconds > toSeconds(deps.clock()) ? (Item as TakenClaim) : undefined;
}

/** The run, whoever it belongs to; undefined once past `expiresAt`, deleted by DynamoDB or not. */
export async function readRun(deps: RunStoreDeps, agentId: string): Promise<RunRecord | undefined> {
  // What is not an id of ours cannot be one of a run, and need not be a key that DynamoDB takes.
  if (!isUuid(agentId)) return undefined;
  const { Item } = await deps.dynamodb.send(
    new GetCommand({ TableName: deps.tables.runs, Key: itemKeys.run(agentId), ConsistentRead: true }),
  );
  return Item ? unexpired(deps, Item as RunRecord) : undefined;
}

function unexpired(deps: RunStoreDeps, run: RunRecord): RunRecord | undefined {
  return Date.parse(run.expiresAt) > deps.clock() ? run : undefined;
}

/** Where a run stands in the listing of its key. */
export const listingKey = ({ keyId, createdAt, agentId }: RunRecord): string =>
  itemKeys.listing(keyId, createdAt, agentId).sk;

export interface ListedRuns {
  runs: RunRecord[];
  /** Sort key to go on after; absent at the end. */
  last?: string;
}

/** A page of a key's runs, newest first. */
export async function listRuns(
  deps: RunStoreDeps,
  keyId: string,
  options: { limit: number; after?: string },
): Promise<ListedRuns> {
  const { tables, dynamodb } = deps;
  const pk = `KEY#${keyId}`;
  const page = await dynamodb.send(
    new QueryCommand({
      TableName: tables.runs,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: options.limit,
      ...(options.after !== undefined && { ExclusiveStartKey: { pk, sk: options.after } }),
    }),
  );
  const ids = (page.Items ?? []).map((item) => item.agentId as string);
  const last = page.LastEvaluatedKey?.sk as string | undefined;
  const found = await readRuns(deps, ids);
  return { runs: found, ...(last !== undefined && { last }) };
}

/** The runs of these ids in this order, without those that are gone. */
async function readRuns(deps: RunStoreDeps, ids: readonly string[]): Promise<RunRecord[]> {
  const found = new Map<string, RunRecord>();
  for (const item of await batchGet(deps, deps.tables.runs, ids.map(itemKeys.run))) {
    const run = unexpired(deps, item as unknown as RunRecord);
    if (run) found.set(run.agentId, run);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

export async function readInput(deps: RunStoreDeps, agentId: string): Promise<RunInput> {
  const { Item } = await deps.dynamodb.send(
    new GetCommand({ TableName: deps.tables.runs, Key: itemKeys.input(agentId), ConsistentRead: true }),
  );
  if (!Item) throw new Error('a run without input');
  return JSON.parse(await unpackPayload(deps.files, Item as Payload)) as RunInput;
}

/** The last committed checkpoint; undefined before the first. */
export async function readState(deps: RunStoreDeps, agentId: string): Promise<AgentState | undefined> {
  const { Item } = await deps.dynamodb.send(
    new GetCommand({ TableName: deps.tables.runs, Key: itemKeys.state(agentId), ConsistentRead: true }),
  );
  return Item && (JSON.parse(await unpackPayload(deps.files, Item as Payload)) as AgentState);
}

/** Notes that the message is being sent again; false if that was done meanwhile or the run is finished. */
export async function markSent(deps: RunStoreDeps, run: RunRecord): Promise<boolean> {
  try {
    await deps.dynamodb.send(
      new UpdateCommand({
        TableName: deps.tables.runs,
        Key: itemKeys.run(run.agentId),
        UpdateExpression: 'SET sentAtMilliseconds = :now',
        ConditionExpression: '#status IN (:queued, :running) AND sentAtMilliseconds = :before',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':now': deps.clock(),
          ':queued': 'queued',
          ':running': 'running',
          ':before': run.sentAtMilliseconds,
        },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** Ids of all runs that are not finished, for a queue that lost its messages. */
export async function* unfinishedRuns(deps: RunStoreDeps): AsyncGenerator<string> {
  let start: Record<string, unknown> | undefined;
  do {
    const page = await deps.dynamodb.send(
      new ScanCommand({
        TableName: deps.tables.runs,
        FilterExpression: 'sk = :run AND #status IN (:queued, :running)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':run': 'RUN', ':queued': 'queued', ':running': 'running' },
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    for (const item of page.Items ?? []) yield (item as RunRecord).agentId;
    start = page.LastEvaluatedKey;
  } while (start);
}
