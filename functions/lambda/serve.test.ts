import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { silentLog } from '@errand/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LambdaGlobal } from './runtime.ts';
import { serve } from './serve.ts';

/** Lambda's own, without the head that it writes before the body. */
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
