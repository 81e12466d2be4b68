import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { bytesBody, endOfRequest, type HttpEnv, limits, silentLog, streamResponse } from '@errand/platform';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LambdaGlobal } from './runtime.ts';
import { serve } from './serve.ts';

/** Lambda's runtime, without the head that it writes before the body. */
const runtime: LambdaGlobal = {
  streamifyResponse: (handler) => handler,
  HttpResponseStream: { from: (responseStream) => responseStream },
};

beforeEach(() => void vi.stubGlobal('awslambda', runtime));
afterEach(() => void vi.unstubAllGlobals());

const event = {
  rawPath: '/',
  rawQueryString: '',
  headers: {},
  requestContext: { domainName: 'url.example', http: { method: 'GET' } },
};
const context = { awsRequestId: 'one', getRemainingTimeInMillis: () => 60_000 };

test('a response ends before what it did not wait for is done, the invocation after', async () => {
  const rest = Promise.withResolvers<void>();
  let over = false;
  const handler = serve(() => new Response('the answer'), { log: silentLog, whenDone: () => rest.promise });
  const stream = new PassThrough();
  const invocation = handler(event, stream, context).then(() => {
    over = true;
  });
  expect(await text(stream)).toBe('the answer');
  expect(over).toBe(false);
  rest.resolve();
  await invocation;
});

test('an answer that breaks off fails the invocation, once the rest is done', async () => {
  const rest = Promise.withResolvers<void>();
  const refuse = () => Promise.reject(new Error('broken'));
  const invocation = serve(refuse, { log: silentLog, whenDone: () => rest.promise })(
    event,
    new PassThrough(),
    context,
  );
  const waits = Symbol('waits');
  expect(await Promise.race([invocation, new Promise((resolve) => setImmediate(resolve, waits))])).toBe(
    waits,
  );
  rest.resolve();
  await expect(invocation).rejects.toThrow('broken');
});

const whenDone = async () => {};

test('the newest version says that it is the newest, and a version with a number, which callers reach, says nothing', async () => {
  const heads: unknown[] = [];
  const from = (stream: PassThrough, { headers }: { headers: object }) => {
    heads.push(headers);
    return stream;
  };
  vi.stubGlobal('awslambda', { ...runtime, HttpResponseStream: { from } });
  const handler = serve(() => new Response(null, { headers: { a: 'b' } }), { log: silentLog, whenDone });
  for (const functionVersion of ['$LATEST', '12'])
    await handler(event, new PassThrough(), { ...context, functionVersion });
  expect(heads).toEqual([{ a: 'b', 'x-function-version': '$LATEST' }, { a: 'b' }]);
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a stream is written piece by piece as it comes, and ends', async () => {
  const next = Promise.withResolvers<void>();
  const answer = () =>
    streamResponse({}, async function* () {
      yield 'one ';
      await next.promise;
      yield 'two';
    });
  const stream = new PassThrough();
  const invocation = serve(answer, { log: silentLog, whenDone })(event, stream, context);
  while (stream.readableLength === 0) await turn();
  expect(String(stream.read())).toBe('one ');
  next.resolve();
  expect(await text(stream)).toBe('two');
  await invocation;
});

test('a stream that fails is not ended as if it were whole, and fails the invocation', async () => {
  const answer = () =>
    streamResponse({}, async function* () {
      yield 'one';
      throw new Error('lost');
    });
  const stream = new PassThrough();
  const invocation = serve(answer, { log: silentLog, whenDone })(event, stream, context);
  await expect(invocation).rejects.toThrow('lost');
  // The stream stays open, because Lambda's runtime client must break it off.
  expect([String(stream.read()), stream.writableEnded, stream.destroyed]).toEqual(['one', false, false]);
});

test('a stream that nobody reads for too long is cut off, and fails the invocation', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const full = Promise.withResolvers<void>();
    // Only the empty write, which sends the head, is accepted.
    const stuck = new Writable({
      write: (piece: Buffer, _, taken) => (piece.length === 0 ? taken() : full.resolve()),
    });
    const answer = () =>
      streamResponse({}, async function* () {
        for (;;) yield 'x'.repeat(100_000);
      });
    const invocation = serve(answer, { log: silentLog, whenDone })(event, stuck, {
      ...context,
      getRemainingTimeInMillis: () => 900_000,
    });
    const failed = expect(invocation).rejects.toThrow('does not read');
    await full.promise;
    vi.advanceTimersByTime(limits.streamStallMilliseconds);
    await failed;
    // AWS's runtime client ends the process when its stream is destroyed. Unwritten charges would be lost.
    expect(stuck.destroyed).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

/** Like AWS's runtime client (4.0.2), it sends the head before the first write, and an end alone sends none. */
function awsRuntime(): LambdaGlobal {
  return {
    ...runtime,
    HttpResponseStream: {
      from(responseStream, metadata) {
        const write = responseStream.write.bind(responseStream);
        let headSent = false;
        responseStream.write = ((piece: string) => {
          if (!headSent) write(JSON.stringify(metadata));
          headSent = true;
          return write(piece);
        }) as typeof responseStream.write;
        return responseStream;
      },
    },
  };
}

test.each([
  ['known bytes', () => new Response(bytesBody(Buffer.from('the answer')))],
  ['a stream that ends at once', () => streamResponse({}, async function* () {})],
  ['a web stream', () => new Response('the answer')],
  ['no body', () => new Response(null, { status: 204 })],
])('status and headers are sent with %s', async (_, answer) => {
  vi.stubGlobal('awslambda', awsRuntime());
  const stream = new PassThrough();
  const invocation = serve(answer, { log: silentLog, whenDone })(event, stream, context);
  expect(await text(stream)).toMatch(/^{"statusCode":20[04],/);
  await invocation;
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('a stream ends before the time of its invocation is up, though its request was collected', async () => {
  const app = new Hono<HttpEnv>();
  app.get('/', (c) =>
    streamResponse(
      {},
      async function* (signal) {
        yield 'one';
        await once(signal, 'abort').catch(() => {});
      },
      endOfRequest(c),
    ),
  );
  const stream = new PassThrough();
  const short = { ...context, getRemainingTimeInMillis: () => limits.invocationEndMilliseconds + 300 };
  const invocation = serve(app.fetch, { log: silentLog, whenDone })(event, stream, short);
  while (stream.readableLength === 0) await turn();
  for (let i = 0; i < 5; i++) {
    collect();
    await turn();
  }
  expect(await text(stream)).toBe('one');
  await invocation;
});
