import { EventEmitter, once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { delay } from '@errand/platform';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface Proxy {
  url: string;
  close(): Promise<void>;
}

/** Hidden messages come back by time alone. */
const lookMilliseconds = 500;

/**
 * Passes the requests to one service on one after the other, because moto's threads share what they change without locks. A receiver that
 * waits for messages would hold up everybody, so it asks again when there may be some.
 */
export async function startOneAtATime(target: string): Promise<Proxy> {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const queues = new EventEmitter().setMaxListeners(0);
  const server = createServer(async (incoming, outgoing) => {
    try {
      const body = Buffer.concat(await incoming.toArray());
      const isGone = () => outgoing.destroyed;
      const ask = (sent: Buffer) => inTurn(() => (isGone() ? gone() : passOn(target, incoming, sent)));
      const action = incoming.headers['x-amz-target'];
      const answered = action === receiving ? await receive(body, ask, queues, isGone) : await ask(body);
      if (wakes.includes(String(action))) queues.emit('changed');
      const { status, headers, body: answer } = answered;
      outgoing.writeHead(status, headers).end(answer);
    } catch {
      outgoing.destroy();
    }
  });
  // A presigned upload's sender may take its time.
  server.requestTimeout = 0;
  return { url: await listen(server), close: () => close(server) };
}

/** A sender that waits no longer may send the same again: the first must not be done later. */
const gone = () => Promise.reject(new Error('the sender is gone'));

const receiving = 'AmazonSQS.ReceiveMessage';
const wakes = ['SendMessage', 'SendMessageBatch', 'ChangeMessageVisibility'].map(
  (name) => `AmazonSQS.${name}`,
);

async function receive(
  body: Buffer,
  ask: (body: Buffer) => Promise<Answer>,
  queues: EventEmitter,
  isGone: () => boolean,
): Promise<Answer> {
  const { WaitTimeSeconds = 0, ...wanted } = JSON.parse(body.toString()) as { WaitTimeSeconds?: number };
  const end = performance.now() + WaitTimeSeconds * 1_000;
  const sent = Buffer.from(JSON.stringify({ ...wanted, WaitTimeSeconds: 0 }));
  for (;;) {
    const changed = once(queues, 'changed');
    const answer = await ask(sent);
    const isEmpty = answer.status === 200 && !answer.body.includes('"ReceiptHandle"');
    if (!isEmpty || isGone() || performance.now() >= end) return answer;
    await Promise.race([changed, delay(lookMilliseconds)]);
  }
}

/** Headers of one connection. A body is passed on whole, and has its own length. */
const ownHeaders = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect'];

const without = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.includes(name)));

async function passOn(target: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  const passed = request(`${target}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers: { ...without(incoming.headers), 'content-length': body.length },
    agent: false,
  });
  passed.end(body);
  const [response] = (await once(passed, 'response')) as [IncomingMessage];
  const answer = Buffer.concat(await response.toArray());
  const length = incoming.method === 'HEAD' ? response.headers['content-length'] : String(answer.length);
  const headers = { ...without(response.headers), ...(length !== undefined && { 'content-length': length }) };
  return { status: response.statusCode ?? 500, headers, body: answer };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
