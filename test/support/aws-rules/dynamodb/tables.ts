import { localTableDefinitions, type TableDefinition } from '@errand/platform';

export interface KeySchema {
  partitionKey: string;
  sortKey?: string;
}

export interface KnownTable extends KeySchema {
  timeToLiveAttribute?: string;
  /** The types of key attributes. Strings if it is not said. */
  types: Record<string, string>;
  indexes: Map<string, KeySchema & { projectsAll: boolean }>;
}

export type KnownTables = Map<string, KnownTable>;

/** The tables of the service by their local names. `learnTables` adds those that a test creates. */
export const serviceTables = (): KnownTables =>
  new Map(localTableDefinitions.map((definition) => [definition.name, known(definition)]));

const known = ({ indexes = [], ...table }: TableDefinition): KnownTable => ({
  ...table,
  types: {},
  indexes: new Map(
    indexes.map(({ name, projection, ...keys }) => [name, { ...keys, projectsAll: projection === 'ALL' }]),
  ),
});

interface Created {
  KeySchema?: { AttributeName: string; KeyType: string }[];
}

/** Takes note of a table that is created, and of the attribute by which its items expire. */
// biome-ignore lint/suspicious/noExplicitAny: the inputs of two commands
export function learnTables(tables: KnownTables, command: string, input: any): void {
  if (command === 'CreateTable') {
    const indexes: (Created & { IndexName: string; Projection?: { ProjectionType?: string } })[] =
      input.GlobalSecondaryIndexes ?? [];
    const types: { AttributeName: string; AttributeType: string }[] = input.AttributeDefinitions ?? [];
    tables.set(input.TableName, {
      ...keysOf(input),
      types: Object.fromEntries(
        types.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
      ),
      indexes: new Map(
        indexes.map((index) => [
          index.IndexName,
          { ...keysOf(index), projectsAll: index.Projection?.ProjectionType === 'ALL' },
        ]),
      ),
    });
  }
  const table = tables.get(input.TableName);
  if (command === 'UpdateTimeToLive' && table && input.TimeToLiveSpecification?.Enabled)
    table.timeToLiveAttribute = input.TimeToLiveSpecification.AttributeName;
}

function keysOf({ KeySchema = [] }: Created): KeySchema {
  const sortKey = KeySchema.find(({ KeyType }) => KeyType === 'RANGE')?.AttributeName;
  return { partitionKey: KeySchema[0]?.AttributeName ?? '', sortKey: sortKey || undefined };
}
