import { servingTag, type TableDefinition, type TableId, tableDefinitions } from '@errand/platform';
import type { Settings } from './settings.ts';

export type Tables = Record<TableId, sst.aws.Dynamo>;

/**
 * Makes the tables from the definitions that the service on one machine uses too, billed by request, and returns those that
 * serve. Where another table serves in place of the stage's own, that one stays as it is, with all that is in it.
 */
export function createTables(settings: Settings): Tables {
  const serving = Object.entries(tableDefinitions).map(([id, definition]) => {
    const own = createTable(definition, settings);
    const adopted = settings.tables?.[definition.name];
    return [id, adopted === undefined ? own : adoptTable(definition.name, adopted)];
  });
  return Object.fromEntries(serving) as Tables;
}

/** The table is read and marked, not made: `scripts/restore-table.ts` has given it what a stage's own has. */
function adoptTable(name: string, tableName: string): sst.aws.Dynamo {
  const table = sst.aws.Dynamo.get(`Adopted${name}`, tableName);
  new aws.dynamodb.Tag(`Adopted${name}Tag`, { resourceArn: table.arn, key: servingTag, value: $app.stage });
  return table;
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
