import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface Answered {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** What a proxy does wrong. Without one of these it passes everything on as it comes. */
export interface Breakage {
  /** Answers in the service's place, or changes what the service is sent. */
  request?(sent: Sent): Answered | Sent;
  /** Changes answers, which are held back until they are whole. */
  answer?(answered: Answered, sent: Sent): Answered;
  /** Which answers `answer` gets. Default: all. */
  of?(sent: Sent): boolean;
  /** Cuts a connection on which nothing comes for so long. */
  idleMilliseconds?: number;
  /** How often the service is sent each request. */
  times?(sent: Sent): number;
}

export interface Breakable {
  baseUrl: string;
  /** Where the service is. */
  forwardTo(baseUrl: string): void;
  break(breakage: Breakage | undefined): void;
  close(): Promise<void>;
}

/** A proxy in front of a sound service that can be told to do one thing wrong. */
export async function startBreakable(): Promise<Breakable> {
  let target = '';
  let breakage: Breakage = {};
  const server = createServer((incoming, outgoing) => {
    pass(target, breakage, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardTo(baseUrl) {
      target = baseUrl;
    },
    break(next) {
      breakage = next ?? {};
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const flat = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

async function pass(target: string, breakage: Breakage, incoming: IncomingMessage, outgoing: ServerResponse) {
  const sent: Sent = {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: flat(incoming.headers),
    body: Buffer.concat(await incoming.toArray()),
  };
  const made = breakage.request?.(sent) ?? sent;
  if ('status' in made) return finish(outgoing, made);
  const times = breakage.times?.(sent) ?? 1;
  for (let i = 1; i < times; i++) (await forward(target, made)).resume();
  if (breakage.idleMilliseconds !== undefined)
    outgoing.setTimeout(breakage.idleMilliseconds, () => outgoing.destroy());
  const answer = await forward(target, made);
  const headers = flat(answer.headers);
  if (breakage.answer === undefined || !(breakage.of?.(sent) ?? true)) {
    outgoing.writeHead(answer.statusCode ?? 500, headers);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
    outgoing.once('close', () => answer.destroy());
    return;
  }
  const body = Buffer.concat(await answer.toArray());
  finish(outgoing, breakage.answer({ status: answer.statusCode ?? 500, headers, body }, sent));
}

function finish(outgoing: ServerResponse, { status, headers, body }: Answered): void {
  const { 'content-length': _length, 'transfer-encoding': _encoding, ...rest } = headers;
  // The tests hold an answer with this header to the service's document, and a changed answer would fail there.
  delete rest['access-control-expose-headers'];
  outgoing.writeHead(status, rest);
  outgoing.end(body);
}

function forward(target: string, { method, path, headers, body }: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { host: _host, 'transfer-encoding': _encoding, ...rest } = headers;
    const length = method === 'GET' || method === 'HEAD' ? {} : { 'content-length': String(body.length) };
    const { hostname, port } = new URL(target);
    const onward = send({ hostname, port, path, method, headers: { ...rest, ...length } }, resolve);
    onward.once('error', reject);
    onward.end(body);
  });
}
