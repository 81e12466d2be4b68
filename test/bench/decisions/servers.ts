import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

export const keepAlive = new Agent({ keepAlive: true });

export interface BenchServer {
  url: string;
  close(): Promise<void>;
}

export interface BenchUpstream extends BenchServer {
  /** What it answers from now on. */
  answer(body: string): void;
  /** From the last request's arrival to its answer's last byte, in milliseconds. */
  ownMilliseconds(): number;
}

/** A System One server that knows its answer beforehand. */
export async function startBenchUpstream(): Promise<BenchUpstream> {
  let answer = '';
  let own = 0;
  const server = createServer(async (incoming, response) => {
    const startedAt = performance.now();
    await drain(incoming);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
    });
    response.end(answer);
    own = performance.now() - startedAt;
  });
  return {
    ...(await listen(server)),
    answer(body) {
      answer = body;
    },
    ownMilliseconds: () => own,
  };
}

/** Both directions piped: what any service in between costs at the least. */
export async function startPassThrough(target: string): Promise<BenchServer> {
  const server = createServer((incoming, response) => {
    const outgoing = request(target + (incoming.url ?? ''), {
      method: incoming.method ?? 'POST',
      headers: incoming.headers,
      agent: keepAlive,
    });
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    void pipeline(incoming, outgoing);
  });
  return listen(server);
}

export async function listen(server: Server): Promise<BenchServer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function drain(incoming: IncomingMessage): Promise<void> {
  for await (const _ of incoming);
}

/** Posts over a connection that is kept; the whole answer's time in milliseconds. */
export async function timePost(url: string, body: Buffer, key: string): Promise<number> {
  const startedAt = performance.now();
  const outgoing = request(`${url}/v1/systemone`, {
    method: 'POST',
    agent: keepAlive,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  await drain(answer);
  if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
  return performance.now() - startedAt;
}
