import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A write as the SDK sends it, such as `UpdateItem`, with its input as JSON. */
export interface SentWrite {
  operation: string;
  input: string;
}

export interface ConflictingDynamo {
  /** The address of the store, through the proxy. */
  url: string;
  /** Answers the next writes that match with a conflict, so many times. Returns how many were. */
  conflict(times: number, matches: (write: SentWrite) => boolean, answer?: object): () => number;
  close(): Promise<void>;
}

/** What AWS answers to a plain write of an item that a running transaction writes. No emulator ever does. */
const conflicted = {
  __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException',
  message: 'Transaction is ongoing for the item',
};

/** A proxy in front of a DynamoDB that refuses the writes that a test names, as AWS does when they collide. */
export async function startConflictingDynamo(target: string): Promise<ConflictingDynamo> {
  const { hostname, port } = new URL(target);
  const scripts: { left: number; matches: (write: SentWrite) => boolean; answer: object }[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    const write = { operation, input: body.toString() };
    const script = scripts.find(({ left, matches }) => left > 0 && matches(write));
    if (script) {
      script.left--;
      return refuse(outgoing, script.answer);
    }
    const { method, url: path, headers } = incoming;
    const forwarded = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    forwarded.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    conflict(times, matches, answer = conflicted) {
      const script = { left: times, matches, answer };
      scripts.push(script);
      return () => times - script.left;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(outgoing: ServerResponse, answer: object): void {
  outgoing.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' });
  outgoing.end(JSON.stringify(answer));
}
