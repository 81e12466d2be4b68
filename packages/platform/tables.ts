/** A DynamoDB table as both the cloud stack and the embedded store create it. All key attributes are strings. */
export interface TableDefinition {
  name: string;
  partitionKey: string;
  sortKey?: string;
  timeToLiveAttribute?: string;
  indexes?: IndexDefinition[];
}

export interface IndexDefinition {
  name: string;
  partitionKey: string;
  sortKey?: string;
  projection: 'ALL' | 'KEYS_ONLY' | string[];
}

const keys = { partitionKey: 'pk', sortKey: 'sk', timeToLiveAttribute: 'expiresAtSeconds' } as const;

export const tableDefinitions = {
  runs: { name: 'Runs', ...keys },
  accounts: {
    name: 'Accounts',
    ...keys,
    indexes: [{ name: 'ledgerByTime', partitionKey: 'ledger', sortKey: 'at', projection: 'ALL' }],
  },
  skills: { name: 'Skills', ...keys },
  values: { name: 'Values', ...keys },
} as const satisfies Record<string, TableDefinition>;

export type TableId = keyof typeof tableDefinitions;
export type TableNames = Record<TableId, string>;

/** The names as defined, with nothing before or after: what local mode uses. */
export const localTableNames = Object.fromEntries(
  Object.entries(tableDefinitions).map(([id, definition]) => [id, definition.name]),
) as TableNames;
