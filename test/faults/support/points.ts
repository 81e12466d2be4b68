import type { AwsClients, Files } from '@errand/platform';
import { wrapFiles } from '../../support/files.ts';

/** The n-th call of its kind that a worker makes to AWS. Heartbeats do not count, because their moments vary. */
export interface Point {
  kind: string;
  ordinal: number;
}

export const nameOf = ({ kind, ordinal }: Point) => `${kind} #${ordinal}`;

export interface Hooks {
  /** Before the call is sent. May throw, wait or never return. */
  before?(point: Point): void | Promise<void>;
  /** After AWS has carried the call out, before the worker sees the answer. */
  after?(point: Point): void | Promise<void>;
  /** Before every call, heartbeats too. */
  gate?(): Promise<void>;
}

interface CallInput {
  UpdateExpression?: string;
  TableName?: string;
}

/** Calls the hooks before and after every call of these clients and this bucket. */
export function hookCalls(clients: AwsClients, files: Files, hooks: Hooks): void {
  const counts = new Map<string, number>();
  const around = async <T>(kind: string | undefined, call: () => Promise<T>): Promise<T> => {
    const ordinal = kind === undefined ? 0 : (counts.get(kind) ?? 0) + 1;
    if (kind !== undefined) counts.set(kind, ordinal);
    const point = kind !== undefined && isPoint(kind, ordinal) ? { kind, ordinal } : undefined;
    await hooks.gate?.();
    if (point) await hooks.before?.(point);
    const answer = await call();
    if (point) await hooks.after?.(point);
    await hooks.gate?.();
    return answer;
  };
  for (const { middlewareStack } of [clients.dynamodb, clients.sqs])
    (middlewareStack as { add: (middleware: unknown, options: object) => void }).add(
      (next: (args: unknown) => Promise<unknown>, context: { commandName?: string }) =>
        (args: { input: CallInput }) =>
          around(kindOf(String(context.commandName).replace(/Command$/, ''), args.input), () => next(args)),
      { step: 'initialize', name: 'hooks' },
    );
  wrapFiles(files, ({ method, key }, call) => around(fileKind(method, key), call));
}

/** Later calls of these kinds may be heartbeats and watches of the key, whose moments vary. */
const repeated = ['hide message', 'read Accounts'];

const isPoint = (kind: string, ordinal: number) => !repeated.includes(kind) || ordinal === 1;

function kindOf(command: string, input: CallInput): string | undefined {
  switch (command) {
    case 'TransactWriteItems':
    case 'TransactWrite':
      return 'commit';
    case 'PutItem':
    case 'Put':
      return 'save value';
    case 'ChangeMessageVisibility':
      return 'hide message';
    case 'DeleteMessage':
      return 'delete message';
    case 'SendMessage':
      return 'send message';
    case 'UpdateItem':
    case 'Update':
      return updateKind(input.UpdateExpression ?? '');
    case 'GetItem':
    case 'Get':
      return `read ${input.TableName}`;
    default:
      return undefined;
  }
}

function fileKind(method: string, key: string): string | undefined {
  if (method === 'open' || method === 'getBytes' || method === 'getText') return 'read object';
  if (method !== 'put') return undefined;
  if (key.startsWith('saved/')) return 'save file';
  if (key.includes('/material-')) return 'keep material';
  return key.includes('/state-') ? 'store checkpoint' : 'store event';
}

function updateKind(expression: string): string | undefined {
  if (expression.includes('#status')) return 'claim';
  return expression.includes('REMOVE') ? 'release' : undefined;
}
