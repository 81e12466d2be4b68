/** A DynamoDB table, created by the cloud stack and by the embedded AWS alike. All key attributes are strings. */
export interface TableDefinition {
  name: string;
  partitionKey: string;
  sortKey?: string;
  timeToLiveAttribute?: string;
  indexes?: IndexDefinition[];
}

interface IndexDefinition {
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
  responses: { name: 'Responses', ...keys },
  schedules: { name: 'Schedules', ...keys },
} as const satisfies Record<string, TableDefinition>;

/**
 * An index of the table `Runs` that only the service on one machine has: its queue is in memory, so a start looks for
 * what is to be queued again. On AWS the queue keeps its messages, and each write would pay for the index.
 */
export const byStatus = {
  name: 'byStatus',
  partitionKey: 'status',
  projection: 'KEYS_ONLY',
} as const satisfies IndexDefinition;

/** The tables of the service on one machine. */
export const localTableDefinitions: readonly TableDefinition[] = Object.values({
  ...tableDefinitions,
  runs: { ...tableDefinitions.runs, indexes: [byStatus] },
});

/** Prefixes of the partition keys in the table `Runs`. `uploads` keeps its claims there, and `webhooks` what it sends. */
export const runsPartitions = {
  run: 'RUN#',
  /** The runs of an API key. */
  listing: 'KEY#',
  /** The follow-ups of a chain of runs. */
  thread: 'THREAD#',
  idempotency: 'IDEMPOTENCY#',
  uploadClaim: 'UPLOAD#',
  /** The uploads of an account that no run has taken yet. */
  openUploads: 'UPLOADS#',
  /** The runs of an account that are active, where their number is bounded, and those that wait for them. */
  activeRuns: 'ACTIVE#',
  /** What is to be told of a source, such as a run. */
  webhookMessage: 'MESSAGE#',
  /** The deliveries of an endpoint. */
  webhookDeliveries: 'DELIVERIES#',
  /** The attempts of an account that are under way. */
  webhookAttempts: 'ATTEMPTS#',
} as const;

/** How the name of each table of a stage begins, by its name in `tableDefinitions`. SST adds a hash. */
export const stageTablePrefix = (stage: string, name: string): string => `errand-${stage}-${name}Table-`;

/** The tag by which operators' commands tell a table that serves a stage in place of the stage's own. Its value is the stage. */
export const servingTag = 'errand:serves';

export type TableId = keyof typeof tableDefinitions;
export type TableNames = Record<TableId, string>;

/** The table names of local mode: as defined, without a stage's prefix. */
export const localTableNames = Object.fromEntries(
  Object.entries(tableDefinitions).map(([id, definition]) => [id, definition.name]),
) as TableNames;
