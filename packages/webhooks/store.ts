import {
  ConditionsFailed,
  DomainError,
  deleteItem,
  getItem,
  queryAll,
  transact,
  updateItem,
} from '@errand/platform';
import type { WebhookStoreDeps } from './deps.ts';
import type { Endpoint } from './endpoint.ts';
import { endpointPartition, endpointPrefix, itemKeys } from './item-keys.ts';

/** Where an endpoint is. */
export type EndpointPlace = Pick<Endpoint, 'accountId' | 'keyId' | 'id'>;

const keyOf = ({ accountId, keyId, id }: EndpointPlace) => itemKeys.endpoint(accountId, keyId, id);

/** An endpoint that has a place among those of its key. */
type PlacedEndpoint = Endpoint & { slot: number };

const slotOf = ({ accountId, keyId, slot }: Pick<PlacedEndpoint, 'accountId' | 'keyId' | 'slot'>) =>
  itemKeys.slot(accountId, keyId, slot);

/** Puts a new endpoint into its place. False if another one has the place, or has left it without giving it back. */
export async function putEndpoint(deps: WebhookStoreDeps, endpoint: PlacedEndpoint): Promise<boolean> {
  const TableName = deps.tables.accounts;
  try {
    await transact(deps, [
      {
        condition: 'slot-free',
        Put: {
          TableName,
          Item: { ...slotOf(endpoint), endpointId: endpoint.id },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
      { Put: { TableName, Item: { ...keyOf(endpoint), ...endpoint } } },
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    const id = String(error.item('slot-free')?.endpointId);
    // Both are written together, so an endpoint that is not there was deleted, and its process died before this.
    if (!(await readEndpoint(deps, { ...endpoint, id }))) await giveSlotBack(deps, { ...endpoint, id });
    return false;
  }
}

async function giveSlotBack(
  deps: WebhookStoreDeps,
  endpoint: Pick<PlacedEndpoint, 'id' | 'accountId' | 'keyId' | 'slot'>,
): Promise<void> {
  try {
    await deleteItem(deps, {
      condition: 'slot-unchanged',
      TableName: deps.tables.accounts,
      Key: slotOf(endpoint),
      ConditionExpression: 'endpointId = :id',
      ExpressionAttributeValues: { ':id': endpoint.id },
    });
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
  }
}

/** The form of every id. Any other text names no endpoint, and DynamoDB may refuse it as a key. */
const endpointId = /^webhook_[0-9A-Za-z]{20}$/;

/** Undefined if there is no such endpoint, or if it belongs to another key. */
export async function readEndpoint(
  deps: WebhookStoreDeps,
  place: EndpointPlace,
): Promise<Endpoint | undefined> {
  if (!endpointId.test(place.id)) return undefined;
  return getItem<Endpoint>(deps, deps.tables.accounts, keyOf(place));
}

/** The endpoints of a key, or of all keys of the account, the oldest first. */
export async function queryEndpoints(
  deps: WebhookStoreDeps,
  { accountId, keyId }: { accountId: string; keyId?: string | undefined },
): Promise<Endpoint[]> {
  const found = await queryAll<Endpoint>(deps, {
    TableName: deps.tables.accounts,
    KeyConditionExpression: keyId === undefined ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: {
      ':pk': endpointPartition(accountId),
      ...(keyId !== undefined && { ':prefix': endpointPrefix(keyId) }),
    },
  });
  return found.sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
}

/** False if there was none. */
export async function deleteEndpoint(deps: WebhookStoreDeps, place: EndpointPlace): Promise<boolean> {
  if (!endpointId.test(place.id)) return false;
  const deleted = await deleteItem(deps, {
    TableName: deps.tables.accounts,
    Key: keyOf(place),
    ReturnValues: 'ALL_OLD',
  });
  if (typeof deleted?.slot === 'number') await giveSlotBack(deps, { ...place, slot: deleted.slot });
  return deleted !== undefined;
}

/** The fields of an endpoint that change. A field that is null is removed. */
export type EndpointChanges = Partial<
  Pick<Endpoint, 'url' | 'events' | 'description' | 'secret' | 'updatedAt'>
> & {
  disabled?: Endpoint['disabled'] | null;
  previous?: Endpoint['previous'] | null;
  failingSinceMilliseconds?: number | null;
};

/** Changes an endpoint and returns it as it is then. Throws `not_found`. */
export async function changeEndpoint(
  deps: WebhookStoreDeps,
  place: EndpointPlace,
  changes: EndpointChanges,
): Promise<Endpoint> {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  const set = entries.filter(([, value]) => value !== null);
  const removed = entries.filter(([, value]) => value === null);
  const clauses = [
    ...(set.length > 0 ? [`SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`] : []),
  ];
  try {
    const changed = await updateItem(deps, {
      condition: 'endpoint-exists',
      TableName: deps.tables.accounts,
      Key: keyOf(place),
      UpdateExpression: clauses.join(' '),
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
      ...(set.length > 0 && {
        ExpressionAttributeValues: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
      }),
      ReturnValues: 'ALL_NEW',
    });
    return changed as unknown as Endpoint;
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new DomainError('not_found');
    throw error;
  }
}
