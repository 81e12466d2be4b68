import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { tableDefinitions } from '@errand/platform';
import { type Collisions, noCollisions, transactionMilliseconds, writeMilliseconds } from './collisions.ts';

/**
 * A DynamoDB in which writes collide as AWS documents it, in front of the embedded one, in which they never do
 * ("Transaction conflict handling in DynamoDB" in its Developer Guide). A plain write of an item that a running transaction
 * writes is refused, and a transaction that meets another one is cancelled. So is one that meets a plain write: AWS does not
 * say which of the two gives way. Plain writes never collide with each other. `GET /counts` answers the collisions since
 * the last time, `GET /collide` and `GET /let-pass` switch them on and off; how long writes take stays.
 */
const target = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });
const keysOfTables = new Map<string, (string | undefined)[]>(
  Object.values(tableDefinitions).map(({ name, partitionKey, sortKey }) => [name, [partitionKey, sortKey]]),
);
let counts: Collisions = { ...noCollisions };
let collides = true;
/** The time until which each item is written, by transactions and by plain writes. */
const inTransaction = new Map<string, number>();
const inPlainWrite = new Map<string, number>();

type Attributes = Record<string, unknown>;
interface Write {
  TableName: string;
  Key?: Attributes;
  Item?: Attributes;
}

function itemOf({ TableName, Key, Item = {} }: Write): string {
  const attributes = Key ?? Item;
  const keys = (keysOfTables.get(TableName) ?? []).map((key) => key && attributes[key]);
  return JSON.stringify([TableName, ...keys]);
}

const isHeld = (held: Map<string, number>, item: string, now: number): boolean =>
  collides && (held.get(item) ?? 0) > now;

const errorName = (name: string) => `com.amazonaws.dynamodb.v20120810#${name}`;
const ongoing = 'Transaction is ongoing for the item';

/** The answer of a write that collides. Undefined if it goes on. */
function writePlainly(item: string, now: number): object | undefined {
  counts.writes++;
  if (isHeld(inTransaction, item, now)) {
    counts.refusedWrites++;
    return { __type: errorName('TransactionConflictException'), message: ongoing };
  }
  inPlainWrite.set(item, now + writeMilliseconds);
  return undefined;
}

function writeTogether(items: readonly string[], now: number): object | undefined {
  counts.transactions++;
  const met = items.map((item) => isHeld(inTransaction, item, now) || isHeld(inPlainWrite, item, now));
  if (!met.includes(true)) {
    for (const item of items) inTransaction.set(item, now + transactionMilliseconds);
    return undefined;
  }
  counts.cancelledTransactions++;
  if (items.some((item) => isHeld(inTransaction, item, now))) counts.cancelledByTransactions++;
  const CancellationReasons = met.map((one) =>
    one ? { Code: 'TransactionConflict', Message: ongoing } : { Code: 'None' },
  );
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  const Message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return { __type: errorName('TransactionCanceledException'), Message, CancellationReasons };
}

const plainWrites = ['UpdateItem', 'PutItem', 'DeleteItem'];

/** How long the request takes at least, and the answer if it collides. */
function admit(operation: string, body: Buffer): { least: number; refusal?: object | undefined } {
  const now = performance.now();
  if (plainWrites.includes(operation))
    return { least: writeMilliseconds, refusal: writePlainly(itemOf(JSON.parse(body.toString())), now) };
  if (operation !== 'TransactWriteItems') return { least: 1 };
  const { TransactItems } = JSON.parse(body.toString()) as { TransactItems: Record<string, Write>[] };
  const items = TransactItems.flatMap((one) => Object.values(one).map(itemOf));
  return { least: transactionMilliseconds, refusal: writeTogether(items, now) };
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = await buffer(incoming);
  const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
  const { least, refusal } = admit(operation, body);
  const waited = delay(least);
  const { status, answer } = refusal
    ? { status: 400, answer: Buffer.from(JSON.stringify(refusal)) }
    : await forward(incoming, body);
  await waited;
  outgoing.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(answer);
}

const forward = ({ method, url, headers }: IncomingMessage, body: Buffer) =>
  new Promise<{ status: number; answer: Buffer }>((resolve, reject) => {
    const { hostname, port } = target;
    const sent = request({ hostname, port, method, path: url, headers, agent }, (response) =>
      buffer(response).then((answer) => resolve({ status: response.statusCode ?? 500, answer }), reject),
    );
    sent.on('error', reject).end(body);
  });

const server = createServer((incoming, outgoing) => {
  if (incoming.method !== 'GET')
    return void pass(incoming, outgoing).catch(() => outgoing.writeHead(500).end());
  if (incoming.url === '/collide') collides = true;
  if (incoming.url === '/let-pass') collides = false;
  outgoing.end(JSON.stringify(counts));
  counts = { ...noCollisions };
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`);
});
