import type { FilePrefix, TableId } from '@errand/platform';

/** Each function of the stack, by the name of its file in `functions/`. */
export type FunctionName = 'agents' | 'skills' | 'systemone' | 'chat' | 'site' | 'worker' | 'dead-letters';

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
  /** Of the bucket, not of objects: also what tells an object that is not there from one that may not be seen. */
  | 'ListBucket';

export type QueueAction =
  | 'SendMessage'
  | 'ReceiveMessage'
  | 'DeleteMessage'
  | 'GetQueueAttributes'
  | 'ChangeMessageVisibility';

export interface Permissions {
  tables: Partial<Record<TableId, readonly TableAction[]>>;
  /** Indexes by table; reading one does not need the table. */
  indexes?: Partial<Record<TableId, Readonly<Record<string, readonly TableAction[]>>>>;
  files?: Partial<Record<FilePrefix, readonly Exclude<FileAction, 'ListBucket'>[]>>;
  listFiles?: boolean;
  queue?: readonly QueueAction[];
  deadLetters?: readonly QueueAction[];
}

/** A key and its account are read, the request is counted. */
const edge = ['GetItem', 'UpdateItem'] as const;
/** A charge is a ledger entry and a balance. */
const edgeAndCharges = [...edge, 'BatchGetItem', 'PutItem'] as const;
/** What Lambda's own poller does for the function. */
const consume = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'] as const;

/** What each function may do, and nothing else: tests hold it to what the function's code can send. */
export const permissions: Record<FunctionName, Permissions> = {
  agents: {
    tables: {
      accounts: edgeAndCharges,
      skills: ['GetItem', 'BatchGetItem'],
      runs: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
      values: ['GetItem', 'Query', 'DeleteItem'],
    },
    files: {
      'uploads/': ['GetObject', 'PutObject', 'DeleteObject', 'AbortMultipartUpload'],
      'events/': ['GetObject', 'PutObject', 'DeleteObject'],
      'saved/': ['GetObject', 'DeleteObject'],
    },
    listFiles: true,
    queue: ['SendMessage'],
  },
  skills: {
    tables: {
      accounts: edge,
      skills: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    },
  },
  systemone: { tables: { accounts: edgeAndCharges }, queue: ['SendMessage'] },
  chat: {
    tables: { accounts: edgeAndCharges, skills: ['GetItem', 'BatchGetItem'] },
    queue: ['SendMessage'],
  },
  site: { tables: { accounts: edge }, indexes: { accounts: { ledgerByTime: ['Query'] } } },
  worker: {
    tables: {
      accounts: ['PutItem', 'UpdateItem'],
      runs: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      values: ['GetItem', 'Query', 'PutItem'],
    },
    files: {
      'uploads/': ['GetObject'],
      'events/': ['GetObject', 'PutObject'],
      'saved/': ['PutObject'],
    },
    listFiles: true,
    queue: [...consume, 'ChangeMessageVisibility', 'SendMessage'],
  },
  'dead-letters': {
    tables: {
      accounts: ['PutItem', 'UpdateItem'],
      runs: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    },
    files: { 'events/': ['PutObject'] },
    queue: ['SendMessage'],
    deadLetters: consume,
  },
};
