import type { IncomingMessage } from 'node:http';

/** The requests to AWS's stores, in the units that AWS bills. */
export interface Units {
  readUnits: number;
  /** Of writes to tables, without `indexWriteUnits`. */
  writeUnits: number;
  indexWriteUnits: number;
  queueRequests: number;
  filePuts: number;
  fileGets: number;
}

export const noUnits = (): Units => ({
  readUnits: 0,
  writeUnits: 0,
  indexWriteUnits: 0,
  queueRequests: 0,
  filePuts: 0,
  fileGets: 0,
});

export function sumUnits(all: readonly Units[]): Units {
  const sum = noUnits();
  for (const units of all) for (const name of Object.keys(sum) as (keyof Units)[]) sum[name] += units[name];
  return sum;
}

const tableOperation = (request: IncomingMessage): string | undefined => {
  const [service, operation] = String(request.headers['x-amz-target'] ?? '').split('.');
  return service?.startsWith('DynamoDB') ? operation : undefined;
};

export interface SentRequest {
  operation: string;
  input: Record<string, unknown>;
}

/** A request to tables as the function sent it; nothing of a request to another service. */
export function toSentRequest(request: IncomingMessage, body: Buffer): SentRequest[] {
  const operation = tableOperation(request);
  return operation === undefined ? [] : [{ operation, input: JSON.parse(body.toString()) }];
}

/** The body of a request, which asks DynamoDB to say in its answer what the request has used. Others stay as they are. */
export function askForCapacity(request: IncomingMessage, body: Buffer): Buffer {
  if (tableOperation(request) === undefined) return body;
  const input = JSON.parse(body.toString()) as object;
  return Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' }));
}

/** Adds the units of one request. */
export function addUnits(units: Units, request: IncomingMessage, body: Buffer, answer: Buffer): void {
  const operation = tableOperation(request);
  if (operation !== undefined) addTableUnits(units, operation, body, answer);
  else if (String(request.headers['x-amz-target']).startsWith('AmazonSQS')) units.queueRequests++;
  else if (request.method === 'PUT' || request.method === 'POST') units.filePuts++;
  else if (request.method !== 'DELETE') units.fileGets++;
}

const readOperations: ReadonlySet<string> = new Set(['GetItem', 'Query', 'Scan', 'BatchGetItem']);

interface Capacity {
  CapacityUnits: number;
  Table?: { CapacityUnits: number };
}

function addTableUnits(units: Units, operation: string, body: Buffer, answer: Buffer): void {
  const { ConsumedCapacity: consumed } = JSON.parse(answer.toString()) as {
    ConsumedCapacity?: Capacity | Capacity[];
  };
  if (consumed === undefined) {
    if (!readOperations.has(operation)) units.writeUnits += unitsOfRefused(operation, body);
    return;
  }
  for (const { CapacityUnits: all, Table: table } of [consumed].flat()) {
    if (readOperations.has(operation)) units.readUnits += all;
    else {
      const ofTable = table?.CapacityUnits ?? all;
      units.writeUnits += ofTable;
      units.indexWriteUnits += all - ofTable;
    }
  }
}

const kilobyte = 1024;
const unitsOf = (bytes: number) => Math.max(1, Math.ceil(bytes / kilobyte));

/**
 * A write whose condition fails is billed all the same, but its answer does not say how much. The JSON on the wire is larger
 * than the item that it writes, so this is an upper estimate. Each write of a transaction counts twice.
 */
function unitsOfRefused(operation: string, body: Buffer): number {
  if (operation !== 'TransactWriteItems') return unitsOf(body.length);
  const { TransactItems } = JSON.parse(body.toString()) as { TransactItems: object[] };
  return TransactItems.reduce((sum, item) => sum + 2 * unitsOf(JSON.stringify(item).length), 0);
}
