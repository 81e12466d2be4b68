import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';

/** A function's answer to one invocation, while it comes. */
export interface Invocation {
  /** The response in the pieces that the runtime sent. Throws if the response breaks off. */
  chunks: AsyncIterable<Buffer>;
  /** The failure that the function reported, before or during its answer. */
  failure: Promise<{ errorType: string; errorMessage: string } | undefined>;
}

interface Pending {
  event: unknown;
  id: string;
  deadline: number;
  respond(body: Readable): void;
  settle(failure: { errorType: string; errorMessage: string } | undefined): void;
}

interface RuntimeApi {
  address: string;
  /** Resolves when the function has initialised and asks for work; rejects if its initialisation failed. */
  ready: Promise<void>;
  invoke(event: unknown, options?: { milliseconds?: number }): Invocation;
  close(): Promise<void>;
}

/** Lambda's Runtime API for one function, which takes one event at a time. */
export async function startRuntimeApi(): Promise<RuntimeApi> {
  const waiting: Pending[] = [];
  const running = new Map<string, Pending>();
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {});
  let idle: ServerResponse | undefined;

  const hand = () => {
    const next = idle && waiting.shift();
    if (!next || !idle) return;
    running.set(next.id, next);
    idle.writeHead(200, {
      'Content-Type': 'application/json',
      'Lambda-Runtime-Aws-Request-Id': next.id,
      'Lambda-Runtime-Deadline-Ms': String(next.deadline),
      'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:eu-central-1:000000000000:function:test',
    });
    idle.end(JSON.stringify(next.event));
    idle = undefined;
  };

  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').replace('/2018-06-01/runtime', '');
    if (path === '/invocation/next') {
      // A runtime that asks for the next invocation is done with the one before.
      for (const done of running.values()) done.settle(undefined);
      running.clear();
      idle = response;
      ready.resolve();
      hand();
      return;
    }
    const [, id = '', what] = path.match(/^\/invocation\/([^/]+)\/(response|error)$/) ?? [];
    if (what === 'response') {
      // Lambda takes the whole response even if nobody reads it.
      running.get(id)?.respond(request.pipe(new PassThrough({ highWaterMark: Number.MAX_SAFE_INTEGER })));
      request.once('close', () => response.writeHead(202).end('{}'));
      return;
    }
    const failure = JSON.parse(Buffer.concat(await request.toArray()).toString());
    if (what === 'error') running.get(id)?.settle(failure);
    else ready.reject(new Error(`the function did not start: ${failure.errorType} ${failure.errorMessage}`));
    response.writeHead(202).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: ready.promise,
    invoke(event, { milliseconds = 60_000 } = {}) {
      const answer = Promise.withResolvers<Readable | undefined>();
      const failure = Promise.withResolvers<{ errorType: string; errorMessage: string } | undefined>();
      waiting.push({
        event,
        id: randomUUID(),
        deadline: Date.now() + milliseconds,
        respond: answer.resolve,
        settle(reported) {
          answer.resolve(undefined);
          failure.resolve(reported);
        },
      });
      hand();
      return { chunks: chunksOf(answer.promise), failure: failure.promise };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function* chunksOf(answer: Promise<Readable | undefined>): AsyncGenerator<Buffer> {
  const body = await answer;
  if (body) for await (const chunk of body) yield chunk as Buffer;
}
