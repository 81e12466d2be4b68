import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type Clock,
  createSemaphore,
  deleteItem,
  type Files,
  filePrefixes,
  getItem,
  type Log,
  limits,
  type Payload,
  packPayload,
  putItem,
  type TableNames,
  takeWhileAsked,
  toSeconds,
} from '@errand/platform';
import type { ResponseObject } from '../answer/response-object.ts';
import type { Item } from '../request/schema.ts';

export interface KeptDeps {
  dynamodb: DynamoDBDocumentClient;
  tables: TableNames;
  files: Files;
  clock: Clock;
  log: Log;
}

/** A response as it was told, with all that a next one needs to follow it. */
export interface KeptResponse {
  response: ResponseObject;
  /** What had been said before its own input, by both sides. */
  earlier: readonly Item[];
  /** Its own input. Each item has an id of its own. */
  input: readonly Item[];
}

interface ReadResponse extends KeptResponse {
  /** The length of what is kept. */
  characters: number;
}

/** The owner of the response. */
export interface Owned {
  keyId: string;
  key: string;
}

type Stored = Payload & { keyId: string; expiresAtSeconds: number };

/** A long response has megabytes, and hundreds may be asked for at once. */
const large = createSemaphore(limits.largeReadsAtOnce);

const itemKey = (key: string) => ({ pk: `RESPONSE#${key}`, sk: 'RESPONSE' });

/** Keeps the response for a day: in the table or, if it is long, in the bucket. */
export async function putKept(deps: KeptDeps, { keyId, key }: Owned, kept: KeptResponse): Promise<void> {
  const payload = await packPayload(deps.files, `${filePrefixes.responses}${key}`, JSON.stringify(kept));
  const expiresAtSeconds = toSeconds(deps.clock()) + limits.responseKeptSeconds;
  const stored: Stored = { ...payload, keyId, expiresAtSeconds };
  await putItem(deps, { TableName: deps.tables.responses, Item: { ...itemKey(key), ...stored } });
}

/** Undefined if it is gone, another key's, or was never there. */
export async function getKept(deps: KeptDeps, owned: Owned): Promise<ReadResponse | undefined> {
  const stored = await findStored(deps, owned);
  if (!stored) return undefined;
  if ('data' in stored) return readResponse(stored.data);
  const release = await takeWhileAsked(large, owned.keyId);
  try {
    const text = await deps.files.getText(stored.stored);
    // A deletion takes the object first.
    return text === undefined ? undefined : readResponse(text);
  } finally {
    release();
  }
}

const readResponse = (text: string): ReadResponse => ({
  ...(JSON.parse(text) as KeptResponse),
  characters: text.length,
});

/** False if it is gone, another key's, or was never there. */
export async function deleteKept(deps: KeptDeps, owned: Owned): Promise<boolean> {
  const stored = await findStored(deps, owned);
  if (!stored) return false;
  if ('stored' in stored) await deps.files.delete(stored.stored);
  await deleteItem(deps, { TableName: deps.tables.responses, Key: itemKey(owned.key) });
  return true;
}

async function findStored(deps: KeptDeps, { keyId, key }: Owned): Promise<Stored | undefined> {
  const stored = await getItem<Stored>(deps, deps.tables.responses, itemKey(key));
  if (stored?.keyId !== keyId || stored.expiresAtSeconds <= toSeconds(deps.clock())) return undefined;
  return stored;
}
