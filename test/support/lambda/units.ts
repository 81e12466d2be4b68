import type { IncomingMessage } from 'node:http';

/** The requests to AWS's stores, in the units that AWS bills. */
export interface Units {
  readUnits: number;
  writeUnits: number;
  queueRequests: number;
  filePuts: number;
  fileGets: number;
}

export const noUnits = (): Units => ({
  readUnits: 0,
  writeUnits: 0,
  queueRequests: 0,
  filePuts: 0,
  fileGets: 0,
});

export function sumUnits(all: readonly Units[]): Units {
  const sum = noUnits();
  for (const units of all) for (const name of Object.keys(sum) as (keyof Units)[]) sum[name] += units[name];
  return sum;
}

const kilobyte = 1024;
/** A unit of writing is 1 KB, of reading 4 KB. */
const writeUnitsOf = (bytes: number) => Math.max(1, Math.ceil(bytes / kilobyte));
const readUnitsOf = (bytes: number) => Math.max(1, Math.ceil(bytes / (4 * kilobyte)));

/**
 * Adds the units of one request. Sizes are those of the JSON on the wire, which is larger than the items, so the units are
 * an upper estimate. An update counts as at least 1 KB, each write of a transaction as two units.
 */
export function addUnits(units: Units, request: IncomingMessage, body: Buffer, answered: number): void {
  const [service, operation = ''] = String(request.headers['x-amz-target'] ?? '').split('.');
  if (service === 'AmazonSQS') units.queueRequests++;
  else if (service?.startsWith('DynamoDB')) addTableUnits(units, operation, body, answered);
  else if (request.method === 'PUT' || request.method === 'POST') units.filePuts++;
  else if (request.method !== 'DELETE') units.fileGets++;
}

function addTableUnits(units: Units, operation: string, body: Buffer, answered: number): void {
  const input = JSON.parse(body.toString()) as {
    ConsistentRead?: boolean;
    TransactItems?: object[];
    RequestItems?: Record<string, { Keys?: object[]; ConsistentRead?: boolean } | object[]>;
  };
  switch (operation) {
    case 'GetItem':
    case 'Query':
      units.readUnits += readUnitsOf(answered) * (input.ConsistentRead ? 1 : 0.5);
      return;
    case 'BatchGetItem':
      // AWS rounds up each item by itself.
      for (const items of Object.values(input.RequestItems ?? {}))
        if ('Keys' in items && items.Keys)
          units.readUnits +=
            (readUnitsOf(answered) - 1 + items.Keys.length) * (items.ConsistentRead ? 1 : 0.5);
      return;
    case 'TransactWriteItems':
      for (const item of input.TransactItems ?? [])
        units.writeUnits += 2 * writeUnitsOf(JSON.stringify(item).length);
      return;
    case 'BatchWriteItem':
      for (const items of Object.values(input.RequestItems ?? {}))
        units.writeUnits += (items as unknown[]).length;
      return;
    default:
      units.writeUnits += writeUnitsOf(body.length);
  }
}
