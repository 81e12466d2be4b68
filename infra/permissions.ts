import type { FilePrefix, TableId } from '@errand/platform';

/** Each function of the stack, by the name of its file in `functions/`. */
export type FunctionName =
  | 'agents'
  | 'run-streams'
  | 'skills'
  | 'systemone'
  | 'chat'
  | 'responses'
  | 'mcp'
  | 'site'
  | 'worker'
  | 'converter'
  | 'webhooks'
  | 'schedules'
  | 'dead-letters';

export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem';

export type FileAction =
  | 'GetObject'
  | 'PutObject'
  | 'DeleteObject'
  | 'AbortMultipartUpload'
  /** A permission on the bucket. Without it, S3 answers 403 instead of 404 for a missing object. */
  | 'ListBucket';

export type QueueAction =
  | 'SendMessage'
  | 'ReceiveMessage'
  | 'DeleteMessage'
  | 'GetQueueAttributes'
  | 'ChangeMessageVisibility';

export interface Permissions {
  tables: Partial<Record<TableId, readonly TableAction[]>>;
  /** Actions on indexes, by table. Reading an index needs no permission for its table. */
  indexes?: Partial<Record<TableId, Readonly<Record<string, readonly TableAction[]>>>>;
  files?: Partial<Record<FilePrefix, readonly Exclude<FileAction, 'ListBucket'>[]>>;
  listFiles?: boolean;
  queue?: readonly QueueAction[];
  deadLetters?: readonly QueueAction[];
  webhooks?: readonly QueueAction[];
  /** The function has documents read by the converter. */
  converts?: true;
}

/** Reads the key and counts the request. */
const edge = ['GetItem', 'UpdateItem'] as const;
/** Also sets credits aside and writes charges, those of dead processes too. */
const edgeAndCharges = ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] as const;
/** Also opens calls that are paid for, and deletes the drafts of their charges. */
const edgeAndPaidCalls = [...edgeAndCharges, 'DeleteItem'] as const;
/** The actions of Lambda's poller, which uses the function's role. */
const consume = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'] as const;
/** For those who end runs, or notice what an account may be told of. */
const tell = ['SendMessage'] as const;

/** All that each function may do. Tests compare it with the requests that the function's code can send. */
export const permissions: Record<FunctionName, Permissions> = {
  agents: {
    tables: {
      // Keeps webhooks, too.
      accounts: [...edgeAndPaidCalls, 'Query'],
      // Keeps agents, too.
      skills: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
      runs: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
      values: ['GetItem', 'Query', 'DeleteItem'],
      schedules: [
        'GetItem',
        'BatchGetItem',
        'Query',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
        'BatchWriteItem',
      ],
    },
    files: {
      'uploads/': ['GetObject', 'PutObject', 'DeleteObject', 'AbortMultipartUpload'],
      'events/': ['GetObject', 'PutObject', 'DeleteObject'],
      'saved/': ['GetObject', 'PutObject', 'DeleteObject'],
      'conversions/': ['GetObject', 'PutObject', 'DeleteObject'],
    },
    listFiles: true,
    queue: ['SendMessage'],
    webhooks: tell,
    converts: true,
  },
  'run-streams': {
    tables: { accounts: edge, runs: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem'] },
    files: { 'events/': ['GetObject'] },
    listFiles: true,
    // Sends the message of a run that waits for it.
    queue: ['SendMessage'],
  },
  skills: {
    tables: {
      accounts: edge,
      skills: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    },
  },
  systemone: { tables: { accounts: edgeAndPaidCalls }, queue: ['SendMessage'], webhooks: tell },
  chat: {
    tables: { accounts: edgeAndPaidCalls, skills: ['GetItem', 'BatchGetItem'] },
    queue: ['SendMessage'],
    webhooks: tell,
  },
  // What chat does, and what agents and run-streams do for a run.
  responses: {
    tables: {
      // Asks which webhooks hear of a run, too.
      accounts: [...edgeAndPaidCalls, 'Query'],
      // Names the agent that is nearest to one that there is not.
      skills: ['GetItem', 'BatchGetItem', 'Query'],
      runs: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
      responses: ['GetItem', 'PutItem', 'DeleteItem'],
    },
    files: {
      'responses/': ['GetObject', 'PutObject', 'DeleteObject'],
      'uploads/': ['GetObject', 'PutObject', 'DeleteObject'],
      'events/': ['GetObject', 'PutObject', 'DeleteObject'],
      'saved/': ['GetObject', 'PutObject', 'DeleteObject'],
      'conversions/': ['GetObject', 'PutObject', 'DeleteObject'],
    },
    listFiles: true,
    queue: ['SendMessage'],
    webhooks: tell,
    converts: true,
  },
  // Starts runs, which may have the recordings of those that they go on from, reads and cancels them, decides, and reads skills.
  mcp: {
    tables: {
      accounts: [...edgeAndPaidCalls, 'Query'],
      skills: ['GetItem', 'BatchGetItem', 'Query'],
      runs: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    },
    files: {
      'uploads/': ['GetObject', 'PutObject', 'DeleteObject'],
      'events/': ['GetObject', 'PutObject', 'DeleteObject'],
      'saved/': ['GetObject', 'PutObject', 'DeleteObject'],
    },
    listFiles: true,
    queue: ['SendMessage'],
    webhooks: tell,
  },
  // Reads and keeps roll-ups of usage, and charges calls of dead processes.
  site: {
    tables: { accounts: [...edgeAndCharges, 'Query'] },
    indexes: { accounts: { ledgerByTime: ['Query'] } },
  },
  worker: {
    tables: {
      // Reads whether the key of a run still works, and which webhooks hear of its end.
      accounts: [...edgeAndCharges, 'Query'],
      runs: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      values: ['GetItem', 'Query', 'PutItem'],
    },
    files: {
      'uploads/': ['GetObject'],
      'events/': ['GetObject', 'PutObject'],
      'saved/': ['GetObject', 'PutObject'],
      'conversions/': ['GetObject', 'PutObject', 'DeleteObject'],
    },
    listFiles: true,
    converts: true,
    queue: [...consume, 'ChangeMessageVisibility', 'SendMessage'],
    webhooks: tell,
  },
  converter: {
    tables: {},
    files: { 'uploads/': ['GetObject'], 'conversions/': ['GetObject', 'PutObject', 'DeleteObject'] },
    listFiles: true,
  },
  webhooks: {
    tables: {
      accounts: ['GetItem', 'Query', 'UpdateItem'],
      runs: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    },
    webhooks: [...consume, ...tell],
  },
  // Starts runs, which bring no files, decides about their results, and has both told.
  schedules: {
    tables: {
      accounts: [...edgeAndPaidCalls, 'Query'],
      skills: ['GetItem', 'BatchGetItem'],
      runs: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
      schedules: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    },
    files: { 'events/': ['GetObject', 'PutObject', 'DeleteObject'] },
    listFiles: true,
    queue: ['SendMessage'],
    webhooks: tell,
  },
  'dead-letters': {
    tables: {
      accounts: ['GetItem', 'PutItem', 'UpdateItem', 'Query'],
      runs: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    },
    files: { 'events/': ['PutObject'] },
    queue: ['SendMessage'],
    webhooks: tell,
    deadLetters: consume,
  },
};
