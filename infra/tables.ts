import { type TableDefinition, type TableId, tableDefinitions } from '@errand/platform';
import type { Settings } from './settings.ts';

export type Tables = Record<TableId, sst.aws.Dynamo>;

/** Makes the tables from the definitions that the service on one machine uses too. They are billed by request. */
export function createTables(settings: Settings): Tables {
  const made = Object.entries(tableDefinitions).map(([id, definition]) => [
    id,
    createTable(definition, settings),
  ]);
  return Object.fromEntries(made) as Tables;
}

function createTable(definition: TableDefinition, { permanent, protected: isProtected }: Settings) {
  const { name, partitionKey, sortKey, timeToLiveAttribute, indexes = [] } = definition;
  const keys = [definition, ...indexes].flatMap((each) => [each.partitionKey, each.sortKey ?? []].flat());
  return new sst.aws.Dynamo(name, {
    fields: Object.fromEntries(keys.map((key) => [key, 'string' as const])),
    primaryIndex: { hashKey: partitionKey, rangeKey: sortKey },
    globalIndexes: Object.fromEntries(
      indexes.map((index) => [
        index.name,
        {
          hashKey: index.partitionKey,
          rangeKey: index.sortKey,
          projection: projectionOf(index.projection),
        },
      ]),
    ),
    ttl: timeToLiveAttribute,
    deletionProtection: isProtected,
    transform: { table: { pointInTimeRecovery: { enabled: permanent } } },
  });
}

const projectionOf = (projection: 'ALL' | 'KEYS_ONLY' | string[]) =>
  projection === 'ALL' ? 'all' : projection === 'KEYS_ONLY' ? 'keys-only' : projection;
