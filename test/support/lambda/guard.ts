import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { localQueueNames } from '@errand/local/testing';
import {
  type FilePrefix,
  localCredentials,
  localRegion,
  localTableNames,
  type TableNames,
} from '@errand/platform';
import type { FileAction, Permissions, QueueAction, TableAction } from '../../../infra/permissions.ts';

import { expectedAuthorization } from '../aws-signature.ts';
import { addUnits, askForCapacity, noUnits, type SentRequest, toSentRequest, type Units } from './units.ts';

/** The credentials of a role include a session token. */
export const functionCredentials = { ...localCredentials, sessionToken: 'token-of-the-role' };

interface Transaction {
  TransactItems: Record<string, { TableName: string }>[];
}

export interface Guard {
  endpoint: string;
  /** Requests that AWS would have refused. */
  refused: string[];
  /** The requests that were let through so far, in the units that AWS bills. */
  units: Units;
  /** The requests to tables that were let through so far. */
  sent: SentRequest[];
  /** Refuses every request from now on, as if the service were down for this function. */
  forbidAll(): void;
  close(): Promise<void>;
}

/** Called before a request to a table or a queue is passed on, which it may prevent, and before its answer is. The first attempt is 1. */
export type Meddle = (
  operation: string,
  moment: 'before' | 'after',
  attempt: number,
) => 'throttle' | 'drop' | undefined;

/**
 * A proxy in front of one AWS service. It lets a request through only if the function's permissions allow it, by IAM's
 * rules for each operation.
 */
export async function startGuard(
  endpoint: string,
  permissions: Permissions,
  queueUrl: string,
  meddle?: Meddle,
): Promise<Guard> {
  const { hostname, port } = new URL(endpoint);
  const refused: string[] = [];
  const units = noUnits();
  const sent: SentRequest[] = [];
  let open = true;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    if (!open) return refuse(request, response);
    if (!(await isSigned(request, body))) {
      refused.push(`wrong signature: ${request.headers.authorization}`);
      return refuse(request, response);
    }
    const missing = needs(request, body).filter((need) => !allows(permissions, need));
    if (missing.length > 0) {
      refused.push(...missing.map((need) => JSON.stringify(need)));
      return refuse(request, response);
    }
    const [, operation] = String(request.headers['x-amz-target'] ?? '').split('.');
    const attempt = Number(/attempt=(\d+)/.exec(String(request.headers['amz-sdk-request']))?.[1] ?? 1);
    const fate = operation && meddle?.(operation, 'before', attempt);
    if (fate === 'throttle') return throttle(response);
    if (fate === 'drop') return response.destroy();
    sent.push(...toSentRequest(request, body));
    const forwarded = askForCapacity(request, toOwnUrls(request, body));
    // The signature covers the headers as they came, `Host` included.
    const onward = send({
      hostname,
      port,
      path: request.url,
      method: request.method,
      headers: { ...request.headers, ...(forwarded !== body && { 'content-length': forwarded.length }) },
    });
    onward.on('response', async (answer) => {
      const content = await buffer(answer);
      addUnits(units, request, body, content);
      if (operation) meddle?.(operation, 'after', attempt);
      response.writeHead(answer.statusCode ?? 500, answer.headers).end(content);
    });
    onward.on('error', () => response.destroy());
    // Who polls a queue and leaves gets no more of its messages.
    response.on('close', () => response.writableFinished || onward.destroy());
    onward.end(forwarded);
  });
  /** Replaces the guard's address in queue URLs by that of the queue's server. */
  const toOwnUrls = (request: IncomingMessage, body: Buffer): Buffer =>
    String(request.headers['x-amz-target']).startsWith('AmazonSQS')
      ? Buffer.from(body.toString().replaceAll(`http://${request.headers.host}`, new URL(queueUrl).origin))
      : body;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    units,
    sent,
    forbidAll() {
      open = false;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Checks the signature as AWS would. The embedded S3 does that itself. */
async function isSigned(request: IncomingMessage, body: Buffer): Promise<boolean> {
  const target = request.headers['x-amz-target'];
  if (target === undefined) return true;
  const service = String(target).startsWith('DynamoDB') ? 'dynamodb' : 'sqs';
  const signer = { service, region: localRegion, credentials: functionCredentials };
  const { url: path = '/', headers } = request;
  return headers.authorization === (await expectedAuthorization({ path, headers, body }, signer));
}

type Need =
  | { table: string; index?: string; action: TableAction }
  | { queue: string; action: QueueAction }
  | { file: string; action: FileAction };

/** The actions that IAM asks for. A transaction needs those of each of its writes. */
function needs(request: IncomingMessage, body: Buffer): Need[] {
  const [service, operation = ''] = String(request.headers['x-amz-target'] ?? '').split('.');
  if (service === 'AmazonSQS') {
    const { QueueUrl } = JSON.parse(body.toString()) as { QueueUrl: string };
    return [{ queue: QueueUrl.split('/').at(-1) ?? '', action: operation as QueueAction }];
  }
  if (service?.startsWith('DynamoDB')) return tableNeeds(operation, JSON.parse(body.toString()));
  return fileNeeds(request);
}

function tableNeeds(operation: string, input: Record<string, unknown>): Need[] {
  if (operation === 'TransactWriteItems')
    return (input as unknown as Transaction).TransactItems.flatMap((item) =>
      Object.entries(item).map(([kind, { TableName }]) => ({
        table: TableName,
        action: `${kind}Item` as TableAction,
      })),
    );
  const action = operation as TableAction;
  if ('RequestItems' in input)
    return Object.keys(input.RequestItems as object).map((table) => ({ table, action }));
  const index = input.IndexName as string | undefined;
  return [{ table: input.TableName as string, action, index }];
}

const fileActions: Record<string, FileAction> = {
  GET: 'GetObject',
  HEAD: 'GetObject',
  PUT: 'PutObject',
  POST: 'PutObject',
  DELETE: 'DeleteObject',
};

function fileNeeds({ method = '', url = '', headers }: IncomingMessage): Need[] {
  const { pathname, searchParams } = new URL(url, 'http://x');
  const file = pathname.split('/').slice(2).join('/');
  if (searchParams.has('delete')) return [{ file: 'any', action: 'DeleteObject' }];
  if (file === '') return [{ file, action: 'ListBucket' }];
  if (method === 'DELETE' && searchParams.has('uploadId')) return [{ file, action: 'AbortMultipartUpload' }];
  const need: Need = { file, action: fileActions[method] ?? 'GetObject' };
  const copied = decodeURIComponent(String(headers['x-amz-copy-source'] ?? ''));
  const source = copied.split('/').slice(1).join('/');
  return source === '' ? [need] : [{ file: source, action: 'GetObject' }, need];
}

const tableIds = Object.fromEntries(
  Object.entries(localTableNames).map(([id, name]) => [name, id as keyof TableNames]),
);

function allows(permissions: Permissions, need: Need): boolean {
  if ('table' in need) {
    const id = tableIds[need.table];
    if (id === undefined) return false;
    const granted =
      need.index === undefined ? permissions.tables[id] : permissions.indexes?.[id]?.[need.index];
    return granted?.includes(need.action) ?? false;
  }
  if ('queue' in need) {
    const granted = need.queue === localQueueNames.webhookQueue ? permissions.webhooks : permissions.queue;
    return granted?.includes(need.action) ?? false;
  }
  const { action, file } = need;
  if (action === 'ListBucket') return permissions.listFiles ?? false;
  const prefixes = Object.entries(permissions.files ?? {}) as [FilePrefix, readonly FileAction[]][];
  return prefixes.some(
    ([prefix, actions]) => (file === 'any' || file.startsWith(prefix)) && actions.includes(action),
  );
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['x-amz-target']) {
    response.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify({ __type: 'AccessDeniedException', message: 'not allowed' }));
    return;
  }
  response.writeHead(403, { 'Content-Type': 'application/xml' });
  response.end('<Error><Code>AccessDenied</Code><Message>not allowed</Message></Error>');
}

function throttle(response: ServerResponse): void {
  response.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify({ __type: 'ThrottlingException', message: 'too many requests' }));
}
