import { type AgentIdentity, agentIdentity } from '@errand/agents';
import {
  batchDelete,
  ConditionsFailed,
  deleteItem,
  getItem,
  type Item,
  type NamedWrite,
  packPayload,
  putItem,
  queryAll,
  toSeconds,
  transact,
} from '@errand/platform';
import type { ResolvedSkill } from '@errand/skills';
import type { RunStoreDeps } from './deps.ts';
import { itemKeys, payloadPrefix } from './item-keys.ts';
import { untakenCondition } from './lifecycle.ts';
import { expirySeconds, type RunRecord } from './run.ts';
import { type RunInput, storedInput } from './store.ts';

/** A caller's Idempotency-Key and the SHA-256 of the body that came with it. */
export interface IdempotencyClaim {
  key: string;
  bodyHash: string;
  /** The token of a request that has claimed the key before its run is written. */
  token?: string;
}

/** The part of a skill that a response's headers show. */
export type ShownSkill = Omit<ResolvedSkill, 'block'>;

/** The run and the body that an idempotency key was used for. */
export interface TakenClaim {
  /** Absent while the request that has the claim reads its file. */
  agentId?: string;
  bodyHash: string;
  skill?: ShownSkill;
  agent?: AgentIdentity;
}

/**
 * Writes a new run with input, listing, idempotency claim, and what `others` have to write. `idempotency-new` fails if
 * the key is taken.
 */
export async function writeRun(
  deps: RunStoreDeps,
  run: RunRecord,
  input: RunInput,
  { idempotency, others = [] }: { idempotency?: IdempotencyClaim; others?: readonly NamedWrite[] } = {},
): Promise<void> {
  const { agentId, keyId, createdAt } = run;
  const packed = await packPayload(
    deps.files,
    `${payloadPrefix(agentId)}input.json`,
    JSON.stringify(storedInput(input)),
  );
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
  if (idempotency) writes.push(claimWrite(deps, run, idempotency, input));
  writes.push(...others);
  try {
    await transact(deps, writes);
  } catch (error) {
    // A refused transaction wrote nothing, so no run points to the stored input. After `run-new` or any other error,
    // an attempt whose answer got lost may have written the run.
    const refused = error instanceof ConditionsFailed && !error.has('run-new');
    if (refused && 'stored' in packed) await deps.files.delete(packed.stored).catch(() => {});
    throw error;
  }
}

function claimWrite(
  deps: RunStoreDeps,
  run: RunRecord,
  { key, bodyHash, token }: IdempotencyClaim,
  { skill: resolved, definedBy }: RunInput,
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
        ...(definedBy && { agent: agentIdentity(definedBy) }),
        expiresAtSeconds: expirySeconds(run),
      },
      // DynamoDB deletes expired items days late, so an expired claim counts as gone.
      ConditionExpression: `${freeClaim}${token === undefined ? '' : ' OR claimToken = :token'}`,
      ExpressionAttributeValues: {
        ':now': toSeconds(deps.clock()),
        ...(token !== undefined && { ':token': token }),
      },
    },
  };
}

/** Fails once another run makes the calls that were approved. */
export const approvalsUnused = 'approvals-unused';

/** Notes which run makes the approved calls of a run that asked about them. */
export const useApprovals = (deps: RunStoreDeps, asking: string, by: string): NamedWrite => ({
  condition: approvalsUnused,
  Update: {
    TableName: deps.tables.runs,
    Key: itemKeys.run(asking),
    UpdateExpression: 'SET approvedBy = :run',
    ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(approvedBy) OR approvedBy = :run)',
    ExpressionAttributeValues: { ':run': by },
  },
});

const freeClaim = 'attribute_not_exists(pk) OR expiresAtSeconds <= :now';

/** Claims a key for a request that is about to read its file. Undefined if it is claimed, otherwise the claim in the way. */
export async function takeClaim(
  deps: RunStoreDeps,
  keyId: string,
  { key, bodyHash, token }: IdempotencyClaim,
  milliseconds: number,
): Promise<TakenClaim | undefined> {
  const nowSeconds = toSeconds(deps.clock());
  const expiresAtSeconds = nowSeconds + Math.ceil(milliseconds / 1000);
  try {
    await putItem(deps, {
      condition: 'claim-free',
      TableName: deps.tables.runs,
      Item: { ...itemKeys.idempotency(keyId, key), bodyHash, claimToken: token, expiresAtSeconds },
      ConditionExpression: freeClaim,
      ExpressionAttributeValues: { ':now': nowSeconds },
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    return error.item('claim-free') as unknown as TakenClaim;
  }
}

/** Does nothing if the claim is not this request's any more. */
export async function releaseClaim(
  deps: RunStoreDeps,
  keyId: string,
  key: string,
  token: string,
): Promise<void> {
  try {
    await deleteItem(deps, {
      condition: 'claim-ours',
      TableName: deps.tables.runs,
      Key: itemKeys.idempotency(keyId, key),
      ConditionExpression: 'claimToken = :token',
      ExpressionAttributeValues: { ':token': token },
    });
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
  }
}

/** The claim on this idempotency key of this API key; undefined if the key is free. */
export async function readIdempotencyClaim(
  deps: RunStoreDeps,
  keyId: string,
  key: string,
): Promise<TakenClaim | undefined> {
  return unexpiredClaim(deps, await getItem(deps, deps.tables.runs, itemKeys.idempotency(keyId, key)));
}

/** The claim because of which `writeRun` failed. */
export const lostIdempotencyClaim = (deps: RunStoreDeps, failure: ConditionsFailed): TakenClaim | undefined =>
  unexpiredClaim(deps, failure.item('idempotency-new'));

const unexpiredClaim = (deps: RunStoreDeps, item: Item | undefined): TakenClaim | undefined =>
  item && Number(item.expiresAtSeconds) > toSeconds(deps.clock())
    ? (item as unknown as TakenClaim)
    : undefined;

/**
 * Deletes what others find a run by that nobody has begun to work on, or ended, with another write: its own item, its places in lists and its
 * claim, which is free for the next creation whatever becomes of this process. False if somebody has begun.
 */
export async function deleteUntaken(deps: RunStoreDeps, run: FoundRun, other?: NamedWrite): Promise<boolean> {
  const TableName = deps.tables.runs;
  const { agentId, keyId, idempotencyKey } = run;
  const untaken = untakenCondition();
  const writes: NamedWrite[] = [
    {
      condition: runUntaken,
      Delete: {
        TableName,
        Key: itemKeys.run(agentId),
        ConditionExpression: `attribute_not_exists(pk) OR ${untaken.condition}`,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: untaken.values,
      },
    },
    ...placesOf(run).map((Key) => ({ Delete: { TableName, Key } })),
  ];
  if (idempotencyKey !== undefined)
    writes.push({
      condition: 'claim-ours',
      Delete: {
        TableName,
        Key: itemKeys.idempotency(keyId, idempotencyKey),
        ConditionExpression: 'attribute_not_exists(pk) OR agentId = :run',
        ExpressionAttributeValues: { ':run': agentId },
      },
    });
  try {
    await transact(deps, [...writes, ...(other ? [other] : [])]);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    // An attempt whose answer got lost has deleted the run, and another creation has the claim.
    return !error.has(runUntaken);
  }
}

const runUntaken = 'run-untaken';

type FoundRun = Pick<RunRecord, 'agentId' | 'keyId' | 'createdAt' | 'idempotencyKey' | 'thread'>;

/** The keys of a run in lists. */
const placesOf = ({ agentId, keyId, createdAt, thread }: FoundRun) => [
  itemKeys.listing(keyId, createdAt, agentId),
  ...(thread === undefined ? [] : [itemKeys.thread(keyId, thread, createdAt, agentId)]),
];

/**
 * Deletes a run's items and payloads. The run's own item goes first, so that nobody can read the run from then on. The run that has started it
 * keeps its place in the list of sub-runs, so that it is never started again.
 */
export async function deleteRunItems(deps: RunStoreDeps, run: FoundRun): Promise<void> {
  const TableName = deps.tables.runs;
  const { agentId, keyId, idempotencyKey } = run;
  const single = [itemKeys.run(agentId), ...placesOf(run)];
  if (idempotencyKey !== undefined) single.push(itemKeys.idempotency(keyId, idempotencyKey));
  for (const Key of single) await deleteItem(deps, { TableName, Key });
  const keys = await queryAll(deps, {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': itemKeys.run(agentId).pk },
    ProjectionExpression: 'pk, sk',
  });
  await batchDelete(deps, TableName, keys);
  await deps.files.deletePrefix(payloadPrefix(agentId));
}
