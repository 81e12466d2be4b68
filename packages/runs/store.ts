import type { AgentInput } from '@errand/agent';
import type { ResolvedAgent } from '@errand/agents';
import {
  batchGet,
  ConditionsFailed,
  getItem,
  isUuid,
  itemsByStatus,
  type Payload,
  queryPage,
  queryPages,
  runsPartitions,
  scanPages,
  toSeconds,
  unpackPayload,
  updateItem,
} from '@errand/platform';
import type { ResolvedSkill } from '@errand/skills';
import type { RunStoreDeps } from './deps.ts';
import {
  itemKeys,
  listingPartition,
  runPartition,
  runSortKey,
  subRunPrefix,
  threadPartition,
} from './item-keys.ts';
import { unfinishedCondition, unfinishedStatuses } from './lifecycle.ts';
import type { NamedServer } from './remote-servers.ts';
import type { RunRecord } from './run.ts';
import type { RunBody } from './schema.ts';

/** What an agent works on: the creation's body, with what was read of its file. */
type StoredBody = Omit<RunBody, 'mcp' | 'agent'> & Pick<AgentInput, 'attachment'>;

/** The input of a run, written once at its creation. */
export interface RunInput {
  agent: StoredBody;
  skill?: ResolvedSkill;
  /** The stored agent that the run is by, as it was when the run was created. */
  definedBy?: ResolvedAgent;
  /** Links to saved files begin with it. */
  origin: string;
  requestId: string;
  /** The uploaded file in the bucket, which is deleted with the run. */
  uploadKey?: string;
  /** The body's `mcp`, without authorizations. */
  servers?: readonly NamedServer[];
}

/**
 * The input as it is stored. A release that knows neither approvals nor runs that go on looks for `agent`: it would make calls without
 * asking, or begin anew. One that knows no schemas looks for `guarded` too, and would answer in prose. One that knows no
 * stored agents looks for `shaped` too, and would work without their instructions. Each finds nothing to work on, and leaves the run to a worker
 * that can.
 */
interface StoredInput extends Omit<RunInput, 'agent'> {
  agent?: StoredBody;
  guarded?: StoredBody;
  shaped?: StoredBody;
  defined?: StoredBody;
}

export function storedInput(input: RunInput): StoredInput {
  const { agent, ...rest } = input;
  if (rest.definedBy) return { ...rest, defined: agent };
  if (agent.outputSchema !== undefined) return { ...rest, shaped: agent };
  const isGuarded = [agent.approve, agent.functions, agent.previousRunId].some((each) => each !== undefined);
  return isGuarded ? { ...rest, guarded: agent } : input;
}

/** The run, of any key. Undefined once the run is past `expiresAt`, even if DynamoDB has not deleted it yet. */
export async function readRun(deps: RunStoreDeps, agentId: string): Promise<RunRecord | undefined> {
  // Any other text is not the id of a run, and may be a key that DynamoDB refuses.
  if (!isUuid(agentId)) return undefined;
  const run = await getItem<RunRecord>(deps, deps.tables.runs, itemKeys.run(agentId));
  return run && unexpired(deps, run);
}

/** The run, unless it is past `expiresAt`. */
export function unexpired<Run extends Pick<RunRecord, 'expiresAt'>>(
  deps: Pick<RunStoreDeps, 'clock'>,
  run: Run,
): Run | undefined {
  return Date.parse(run.expiresAt) > deps.clock() ? run : undefined;
}

/** The sort key of a run in the listing of its API key. */
export const listingKey = ({ keyId, createdAt, agentId }: RunRecord): string =>
  itemKeys.listing(keyId, createdAt, agentId).sk;

export interface ListedRuns {
  runs: RunRecord[];
  /** Of all that are listed: those that are gone too. */
  ids: string[];
  /** The sort key after which the next page begins; absent at the end. */
  last?: string;
}

/** A page of the runs of an API key, newest first. */
export const listRuns = (deps: RunStoreDeps, keyId: string, options: PageOptions): Promise<ListedRuns> =>
  listPartition(deps, listingPartition(keyId), options);

/** A page of the follow-ups of a chain, newest first, without its first run. */
export const listThread = (
  deps: RunStoreDeps,
  { keyId, thread }: { keyId: string; thread: string },
  options: PageOptions,
): Promise<ListedRuns> => listPartition(deps, threadPartition(keyId, thread), options);

/** A page of the sub-runs of a run, newest first. */
export async function listSubRuns(
  deps: RunStoreDeps,
  parentRunId: string,
  { limit, after }: PageOptions,
): Promise<ListedRuns> {
  const pk = runPartition(parentRunId);
  const page = await listPartition(deps, pk, {
    limit,
    prefix: subRunPrefix,
    after: after === undefined ? undefined : `${subRunPrefix}${after}`,
  });
  return { ...page, last: page.last?.slice(subRunPrefix.length) };
}

interface PageOptions {
  limit: number;
  after?: string | undefined;
}

async function listPartition(
  deps: RunStoreDeps,
  pk: string,
  options: PageOptions & { prefix?: string },
): Promise<ListedRuns> {
  const { prefix } = options;
  const { items, last } = await queryPage<{ agentId: string }>(deps, {
    TableName: deps.tables.runs,
    KeyConditionExpression: prefix === undefined ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ...(prefix !== undefined && { ':prefix': prefix }) },
    ScanIndexForward: false,
    Limit: options.limit,
    ...(options.after !== undefined && { ExclusiveStartKey: { pk, sk: options.after } }),
  });
  const ids = items.map(({ agentId }) => agentId);
  return { runs: await readRuns(deps, ids), ids, last: last && (last.sk as string) };
}

/** The runs of these ids, in this order. Runs that are gone are left out. */
export async function readRuns(deps: RunStoreDeps, ids: readonly string[]): Promise<RunRecord[]> {
  const found = new Map<string, RunRecord>();
  for (const item of await batchGet<RunRecord>(deps, deps.tables.runs, ids.map(itemKeys.run))) {
    const run = unexpired(deps, item);
    if (run) found.set(run.agentId, run);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

export async function readRunInput(deps: RunStoreDeps, agentId: string): Promise<RunInput> {
  const packed = await getItem<Payload>(deps, deps.tables.runs, itemKeys.input(agentId));
  if (!packed) throw new Error('a run without input');
  const stored = JSON.parse(await unpackPayload(deps.files, packed)) as StoredInput;
  const { guarded, shaped, defined, agent = defined ?? shaped ?? guarded, ...rest } = stored;
  if (!agent) throw new Error('a run whose input has another form');
  return { ...rest, agent };
}

/** The outcome of an update: the run as it is now, or the run that failed the condition, if it still exists. */
export type RunUpdate = { done: true; run: RunRecord } | { done: false; run: RunRecord | undefined };

/** Updates the run's own item if the condition holds. One request, whatever the outcome. */
export async function updateRun(
  deps: RunStoreDeps,
  agentId: string,
  update: {
    condition: string;
    UpdateExpression: string;
    ConditionExpression: string;
    ExpressionAttributeNames?: Record<string, string>;
    ExpressionAttributeValues: Record<string, unknown>;
  },
): Promise<RunUpdate> {
  const target = { TableName: deps.tables.runs, Key: itemKeys.run(agentId) };
  try {
    const run = await updateItem(deps, { ...target, ReturnValues: 'ALL_NEW', ...update });
    return { done: true, run: run as unknown as RunRecord };
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    const run = error.item(update.condition) as RunRecord | undefined;
    return { done: false, run: run && unexpired(deps, run) };
  }
}

/** Tells the worker that holds the run to stop. Not done if another worker holds the run by now, or none. */
export const requestCancellation = (deps: RunStoreDeps, run: RunRecord): Promise<RunUpdate> =>
  updateRun(deps, run.agentId, {
    condition: 'holder-unchanged',
    UpdateExpression: 'SET cancelRequested = :true',
    ConditionExpression: 'leaseToken = :token',
    ExpressionAttributeValues: { ':true': true, ':token': run.leaseToken },
  });

/** For a run that is taken back before anybody could work on it: its approvals can be used again. */
export async function giveBackApprovals(
  deps: RunStoreDeps,
  { agentId, previousRunId }: Pick<RunRecord, 'agentId' | 'previousRunId'>,
): Promise<void> {
  if (previousRunId === undefined) return;
  await updateRun(deps, previousRunId, {
    condition: 'approvals-ours',
    UpdateExpression: 'REMOVE approvedBy',
    ConditionExpression: 'approvedBy = :run',
    ExpressionAttributeValues: { ':run': agentId },
  });
}

/** Notes that the run's message is being sent again. False if somebody else did so, or the run is finished. */
export async function markSent(
  deps: RunStoreDeps,
  run: Pick<RunRecord, 'agentId' | 'sentAtMilliseconds'>,
): Promise<boolean> {
  const unfinished = unfinishedCondition();
  const { done } = await updateRun(deps, run.agentId, {
    condition: 'still-forgotten',
    UpdateExpression: 'SET sentAtMilliseconds = :now',
    ConditionExpression: `${unfinished.condition} AND sentAtMilliseconds = :before`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ...unfinished.values,
      ':now': deps.clock(),
      ':before': run.sentAtMilliseconds,
    },
  });
  return done;
}

/** All runs that are not finished, for a queue that lost its messages. Only the service on one machine can tell them. */
export async function* unfinishedRuns(deps: RunStoreDeps): AsyncGenerator<RunRecord> {
  const pages = itemsByStatus<RunRecord>(deps, runsPartitions.run, unfinishedStatuses);
  for await (const page of pages) for (const item of page) if (item.sk === runSortKey) yield item;
}

/** The ids of all runs, a page at a time. */
export async function* allRunIds(deps: RunStoreDeps): AsyncGenerator<string[]> {
  const pages = scanPages<RunRecord>(deps, {
    TableName: deps.tables.runs,
    FilterExpression: 'sk = :run AND begins_with(pk, :prefix)',
    ProjectionExpression: 'agentId',
    ExpressionAttributeValues: { ':run': runSortKey, ':prefix': runsPartitions.run },
  });
  for await (const page of pages) yield page.map(({ agentId }) => agentId);
}

/** An item of a listing, by its key. */
export interface Listed {
  pk: string;
  sk: string;
  agentId: string;
}

/** The listed runs that are not expired, of one API key or of all, a page at a time. */
export function listedRuns(deps: RunStoreDeps, keyId?: string): AsyncGenerator<Listed[]> {
  const listed = {
    TableName: deps.tables.runs,
    FilterExpression: 'expiresAtSeconds > :now',
    ProjectionExpression: 'pk, sk, agentId',
  };
  const now = { ':now': toSeconds(deps.clock()) };
  return keyId === undefined
    ? scanPages<Listed>(deps, {
        ...listed,
        FilterExpression: `begins_with(pk, :prefix) AND ${listed.FilterExpression}`,
        ExpressionAttributeValues: { ...now, ':prefix': listingPartition('') },
      })
    : queryPages<Listed>(deps, {
        ...listed,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ...now, ':pk': listingPartition(keyId) },
      });
}

export const isStillListed = async (deps: RunStoreDeps, { pk, sk }: Listed): Promise<boolean> =>
  (await getItem(deps, deps.tables.runs, { pk, sk })) !== undefined;

/** Which of these runs, at most 100, are in the table. */
export async function existingRuns(
  deps: RunStoreDeps,
  agentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const items = await batchGet<Pick<RunRecord, 'agentId'>>(
    deps,
    deps.tables.runs,
    agentIds.map(itemKeys.run),
    { attributes: ['agentId'] },
  );
  return new Set(items.map(({ agentId }) => agentId));
}
