import { type TableId, tableDefinitions } from '@errand/platform';
import type { FileAction, QueueAction, TableAction } from '../../../infra/permissions.ts';

interface Sent {
  /** Such as `accounts GetItem`, or with an index `accounts/ledgerByTime Query`. */
  tables: Set<string>;
  files: Set<FileAction>;
  queue: Set<QueueAction>;
  /** Whether it calls another function. */
  invokes: boolean;
}

const tableActions: Record<string, TableAction> = {
  getItem: 'GetItem',
  queryPage: 'Query',
  queryPages: 'Query',
  queryPlainPage: 'Query',
  queryAll: 'Query',
  putItem: 'PutItem',
  updateItem: 'UpdateItem',
  deleteItem: 'DeleteItem',
  batchGet: 'BatchGetItem',
  batchDelete: 'BatchWriteItem',
  // A write in a transaction needs the same permission as the write alone.
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
};

const fileActions: Record<string, FileAction[]> = {
  put: ['PutObject'],
  // Without ListBucket, S3 answers 403 instead of 404 for a key that does not exist.
  open: ['GetObject', 'ListBucket'],
  readRange: ['GetObject', 'ListBucket'],
  getBytes: ['GetObject', 'ListBucket'],
  getText: ['GetObject', 'ListBucket'],
  size: ['GetObject', 'ListBucket'],
  list: ['ListBucket'],
  copy: ['GetObject', 'PutObject', 'ListBucket'],
  delete: ['DeleteObject'],
  deletePrefix: ['ListBucket', 'DeleteObject'],
  presignGet: ['GetObject'],
  presignHead: ['GetObject'],
  presignPut: ['PutObject'],
  startMultipart: ['PutObject', 'AbortMultipartUpload'],
};

const queueActions: Record<string, QueueAction> = {
  SendMessageCommand: 'SendMessage',
  ReceiveMessageCommand: 'ReceiveMessage',
  DeleteMessageCommand: 'DeleteMessage',
  ChangeMessageVisibilityCommand: 'ChangeMessageVisibility',
};

/** These modules send what their callers ask for: the callers are read instead. */
const ways = new Set([
  'packages/platform/aws/batch.ts',
  'packages/platform/aws/file-links.ts',
  'packages/platform/aws/file-ranges.ts',
  'packages/platform/aws/files.ts',
  'packages/platform/aws/multipart-upload.ts',
  'packages/platform/aws/read.ts',
  'packages/platform/aws/transact.ts',
  'packages/platform/aws/write.ts',
]);

const commandPattern = /new (?:\w+\.)?(\w+?Command)\d*\(/g;
const itemPattern =
  /\b(getItem|queryPage|queryPlainPage|queryPages|queryAll|batchGet|batchDelete|putItem|updateItem|deleteItem)\d*\(/g;
const writePattern = /\b(Put|Update|Delete|ConditionCheck): \{/g;
const filePattern =
  /\bfiles\.(put|open|readRange|getBytes|getText|size|list|copy|delete|deletePrefix|presignGet|presignHead|presignPut|startMultipart)\(/g;

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name]) => name!);

/** The AWS actions that a function's code can send, read from its bundle. Throws if a command is not in the lists above. */
export function sentBy(modules: ReadonlyMap<string, string>): Sent {
  const sent: Sent = { tables: new Set(), files: new Set(), queue: new Set(), invokes: false };
  for (const [module, text] of modules) {
    if (ways.has(module)) continue;
    const table = tableOf(module, text);
    for (const name of all(text, filePattern))
      for (const action of fileActions[name]!) sent.files.add(action);
    for (const name of [commandPattern, itemPattern, writePattern].flatMap((way) => all(text, way))) {
      if (name === 'TransactWriteCommand') continue;
      const queueAction = queueActions[name];
      const tableAction = tableActions[name];
      if (name === 'InvokeCommand') sent.invokes = true;
      else if (queueAction) sent.queue.add(queueAction);
      else if (tableAction && table)
        sent.tables.add(`${tableAction === 'Query' ? withIndex(table, text) : table} ${tableAction}`);
      else if (fileActions[name]) for (const action of fileActions[name]) sent.files.add(action);
      else throw new Error(`${module} sends ${name}, which is not known here`);
    }
  }
  return sent;
}

/** The table that a module works on. Throws if there are several: the actions could not be told apart. */
function tableOf(module: string, text: string): TableId | undefined {
  const named = new Set(all(text, /\btables\d*\.(\w+)/g).filter((name) => name in tableDefinitions));
  if (named.size > 1) throw new Error(`${module} works on several tables: ${[...named].join(', ')}`);
  return [...named][0] as TableId | undefined;
}

function withIndex(table: TableId, text: string): string {
  if (!text.includes('IndexName: ')) return table;
  const [, place = ''] = text.match(/IndexName: tableDefinitions\.\w+\.indexes\[(\d)\]/) ?? [];
  const definition = tableDefinitions[table];
  const index = 'indexes' in definition ? definition.indexes[Number(place) as 0] : undefined;
  if (!index || place === '') throw new Error('an index that cannot be told');
  return `${table}/${index.name}`;
}
