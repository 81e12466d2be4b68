import { once } from 'node:events';
import { connect } from 'node:net';
import { limits } from '@errand/platform';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ScriptedUpstream,
  startUpstream,
  type UpstreamRequest,
  type Wire,
} from '../support/scripted-upstream.ts';
import { type ChatService, chatCatalogue, readChunks, startChatService } from './support/chat-service.ts';
import { answersPlainly, chunk, done, event, hello, usageChunk } from './support/chunks.ts';

/** Longer than a stream waits for its first byte. */
const silenceSeconds = limits.streamFirstByteMilliseconds / 1_000 + 5;

const firstByteSeconds = 10;

let upstream: ScriptedUpstream;
let other: ScriptedUpstream;
let service: ChatService;

beforeAll(async () => {
  // A busy process shares writes by a timer, and timers stand still here.
  vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue({ idle: 0, active: 0, utilization: 0 });
  [upstream, other] = await Promise.all([startUpstream(), startUpstream()]);
  const { models, roles } = chatCatalogue(upstream.baseUrl);
  const hasty = { ...models[0]!, id: 'hasty', silenceSeconds };
  const fallbacks = [{ baseUrl: other.baseUrl, model: 'other' }];
  const spared = { ...models[0]!, id: 'spared', fallbacks };
  // Circuits are kept for each upstream by itself.
  const hurried = { ...spared, id: 'hurried', upstream: { ...spared.upstream }, firstByteSeconds };
  service = await startChatService({ models: [...models, hasty, spared, hurried], roles });
});
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  await service.close();
  await upstream.close();
  await other.close();
});

const question = { model: 'writer', stream: true, messages: [{ role: 'user', content: 'Say hello' }] };

/** Posts, and resolves when the upstream has the request. */
async function ask(
  body: object,
): Promise<{ wire: Wire; request: UpstreamRequest; response: Promise<Response> }> {
  const arrived = Promise.withResolvers<{ wire: Wire; request: UpstreamRequest }>();
  upstream.script((wire, request) => arrived.resolve({ wire, request }));
  const response = service.post(body);
  return { ...(await arrived.promise), response };
}

/** Reads on until the text has this in it. */
function reading(response: Response) {
  const decoder = new TextDecoder();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  return {
    async until(part: string) {
      while (!text.includes(part)) {
        const { done: ended, value } = await reader.read();
        if (ended) throw new Error(`ended without ${part}: ${text}`);
        text += decoder.decode(value, { stream: true });
      }
      return text;
    },
    async rest() {
      for (let part = await reader.read(); !part.done; part = await reader.read())
        text += decoder.decode(part.value, { stream: true });
      return text;
    },
  };
}

const comment = ': keep-alive\n\n';

const {
  streamFirstByteMilliseconds: firstByte,
  keepAliveMilliseconds: keepAlive,
  answerMilliseconds,
} = limits;
const silence = limits.upstreamSilenceSeconds * 1000;
/** A second less than what is too long. */
const thinking = silence - 1_000;
/** The comments in a silence of so long. A stream without a byte begins with one. */
const commentsIn = (milliseconds: number) => comment.repeat(Math.floor(milliseconds / keepAlive));
const commentsFromStart = (milliseconds: number) => comment + commentsIn(milliseconds - firstByte);

test('a stream begins with comments when the upstream sends no byte before the first-byte timeout', async () => {
  const { wire, response } = await ask(question);
  vi.advanceTimersByTime(firstByte - 1);
  let started = false;
  void response.then(() => {
    started = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toBe(false);
  vi.advanceTimersByTime(1);
  const body = reading(await response);
  expect(await body.until(comment)).toBe(comment);
  vi.advanceTimersByTime(keepAlive);
  expect(await body.until(comment + comment)).toBe(comment + comment);
  await wire.head();
  await wire.send(event(chunk({ content: 'Hello' }, 'stop')), event(usageChunk), done);
  wire.end();
  const stream = readChunks(await body.rest());
  expect(stream.text).toBe('Hello');
  expect(stream.chunks.at(-1)?.usage?.completion_tokens).toBe(5);
  expect(stream.done).toBe(true);
});

test.each([
  [
    429,
    { type: 'server_error', code: 'at_capacity', message: 'Service temporarily at capacity. Please retry.' },
  ],
  [401, { type: 'server_error', code: 'not_set_up' }],
  [
    400,
    {
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      param: 'messages',
      message: 'writer takes 8192 tokens',
    },
  ],
])(
  'a refusal (%d) after the first-byte timeout is an error line in the stream, and nothing is charged',
  async (status, error) => {
    const before = await service.ledger();
    const { wire, response } = await ask(question);
    vi.advanceTimersByTime(firstByte);
    const body = reading(await response);
    await body.until(comment);
    const message = 'upstream-writer takes 8192 tokens';
    await wire.json(status, { error: { message, code: 'context_length_exceeded', param: 'messages' } });
    const stream = readChunks(await body.rest());
    expect(stream.chunks).toEqual([{ error: expect.objectContaining(error) }]);
    expect(stream.done).toBe(true);
    expect(await service.ledger()).toEqual(before);
  },
);

/** Passes on the clock too, by which inference is timed. */
function pass(milliseconds: number): void {
  service.clock.advance(milliseconds);
  vi.advanceTimersByTime(milliseconds);
}

/** Lets the process read what has been sent to it. */
async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
}

const impact = (inferenceMilliseconds: number) => ({
  inferenceTime: { total: inferenceMilliseconds, unit: 'ms' },
});

test('an upstream that stays silent from the start past the timeout has failed', async () => {
  const { wire, response } = await ask(question);
  vi.advanceTimersByTime(firstByte);
  const body = reading(await response);
  await body.until(comment);
  vi.advanceTimersByTime(silence - firstByte - 1);
  await body.until(commentsFromStart(silence - 1));
  vi.advanceTimersByTime(1);
  const stream = readChunks(await body.rest());
  expect(stream.chunks).toEqual([{ error: expect.objectContaining({ code: 'at_capacity' }) }]);
  await wire.closed;
});

test('a model may be silent for just under the timeout before its first word and between words; the caller gets comments, and the time counts as inference', async () => {
  const { wire, response } = await ask(question);
  pass(firstByte);
  const body = reading(await response);
  await body.until(comment);
  pass(thinking - firstByte);
  await body.until(commentsFromStart(thinking));
  await wire.head();
  await wire.send(event(chunk({ content: 'Hel' })));
  const before = await body.until('Hel');
  for (let i = 1; i <= thinking / keepAlive; i++) {
    pass(keepAlive);
    await body.until(before + comment.repeat(i));
  }
  pass(thinking % keepAlive);
  await wire.send(event(chunk({ content: 'lo' })), event(chunk({}, 'stop')), event(usageChunk), done);
  wire.end();
  const stream = readChunks(await body.rest());
  expect([stream.text, stream.done]).toEqual(['Hello', true]);
  expect(stream.chunks.at(-1)).toMatchObject({ impact: impact(2 * thinking) });
});

test('the fallback is asked when an upstream sends no response headers in time', async () => {
  const { response } = await ask({ ...question, model: 'spared' });
  const arrived = Promise.withResolvers<Wire>();
  other.script((wire) => arrived.resolve(wire));
  pass(firstByte);
  const body = reading(await response);
  pass(limits.firstByteWithFallbackMilliseconds - firstByte);
  await hello(await arrived.promise, {} as UpstreamRequest);
  expect(readChunks(await body.rest()).text).toBe('Hello');
});

test.each([
  ['a plain completion', false, answersPlainly],
  ['a stream', true, hello],
])(
  '%s is passed to the fallback after `firstByteSeconds` without a byte; the first upstream is broken off, and one answer is charged',
  async (_, stream, script) => {
    const before = await service.ledger();
    const { wire, response } = await ask({ ...question, stream, model: 'hurried' });
    other.script(script);
    pass(firstByteSeconds * 1_000);
    await wire.closed;
    const answer = await response;
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(stream ? readChunks(text).text : text).toContain('Hello');
    const ledger = await service.ledger();
    expect(ledger).toHaveLength(before.length + 1);
    expect(ledger.find(({ id }) => !before.some((entry) => entry.id === id))).not.toHaveProperty('brokenOff');
  },
);

describe('signs of life without content', () => {
  const most = limits.upstreamPingSeconds * 1_000;
  const soon = silence - 10_000;

  test('keep a stream open for 15 minutes and no longer, counted anew from each content', async () => {
    const { wire, response } = await ask(question);
    await wire.head();
    await wire.send(event(chunk({ content: 'Hel' })));
    const body = reading(await response);
    await body.until('"Hel"');
    pass(soon);
    await wire.send(event(chunk({ content: 'lo' })));
    await body.until('"lo"');
    let passed = 0;
    for (let note = 1; passed + soon < most; note++) {
      pass(soon);
      passed += soon;
      await wire.send(': ping\n\n', event(chunk({ content: '', note })));
      await body.until(`"note":${note}`);
    }
    pass(most - passed - 1);
    await wire.send(': ping\n\n', event(chunk({ note: 'last' })));
    await body.until('"note":"last"');
    pass(1);
    const stream = readChunks(await body.rest());
    await wire.closed;
    expect(stream.text).toBe('Hello');
    expect(stream.chunks.at(-1)?.error?.code).toBe('upstream_failed');
  });

  test('from the start are a failure after 15 minutes, and nothing is charged', async () => {
    const before = await service.ledger();
    const { wire, response } = await ask(question);
    await wire.head();
    await turns(50);
    pass(firstByte);
    const body = reading(await response);
    await body.until(comment);
    let passed = firstByte;
    for (const step of [soon, soon, soon]) {
      await wire.send(': ping\n\n');
      await turns(50);
      pass(step);
      passed += step;
    }
    await wire.send(': ping\n\n');
    await turns(50);
    pass(most - passed);
    const stream = readChunks(await body.rest());
    await wire.closed;
    expect(stream.chunks).toEqual([{ error: expect.objectContaining({ code: 'at_capacity' }) }]);
    expect(await service.ledger()).toEqual(before);
  });
});

test('an upstream that falls silent in the middle past the timeout has failed: what it sent is charged, and its silence counts as inference', async () => {
  const { wire, response } = await ask(question);
  await wire.head();
  await wire.send(event(chunk({ content: 'Hello' })));
  const body = reading(await response);
  await body.until('Hello');
  pass(silence - 1);
  await body.until(commentsIn(silence - 1));
  pass(1);
  const stream = readChunks(await body.rest());
  await wire.closed;
  expect(stream.chunks.at(-2)).toMatchObject({
    usage: { prompt_tokens: 9, completion_tokens: 1 },
    impact: impact(silence),
  });
  expect(stream.chunks.at(-1)?.error?.code).toBe('upstream_failed');
  expect(stream.done).toBe(true);
});

test.each(['from the start', 'in the middle'])(
  'the catalogue may give a model a shorter timeout for silence: %s',
  async (when) => {
    const { wire, response } = await ask({ ...question, model: 'hasty' });
    if (when === 'in the middle') {
      await wire.head();
      await wire.send(event(chunk({ content: 'Hello' })));
      await response;
    } else vi.advanceTimersByTime(firstByte);
    const body = reading(await response);
    vi.advanceTimersByTime(
      when === 'in the middle' ? silenceSeconds * 1_000 - 1 : silenceSeconds * 1_000 - firstByte - 1,
    );
    await body.until(comment);
    vi.advanceTimersByTime(1);
    expect(readChunks(await body.rest()).chunks.at(-1)?.error).toBeDefined();
    await wire.closed;
  },
);

test('chunks that follow each other closely are each passed on at once', async () => {
  const { wire, response } = await ask(question);
  await wire.head();
  await wire.send(event(chunk({ content: 'one' })));
  const body = reading(await response);
  await body.until('"one"');
  await wire.send(event(chunk({ content: 'two' })));
  await body.until('"two"');
  await wire.send(event(chunk({ content: 'three' })));
  await body.until('"three"');
  await wire.send(event(chunk({}, 'stop')), event(usageChunk), done);
  wire.end();
  expect(readChunks(await body.rest()).done).toBe(true);
});

test('a chunk in time restarts the timeout for silence', async () => {
  const { wire, response } = await ask(question);
  await wire.head();
  await wire.send(event(chunk({ content: 'Hel' })));
  const body = reading(await response);
  await body.until('Hel');
  vi.advanceTimersByTime(silence - 1);
  await wire.send(event(chunk({ content: 'lo' })));
  await body.until('"lo"');
  vi.advanceTimersByTime(silence - 1);
  await wire.send(event(chunk({}, 'stop')), event(usageChunk), done);
  wire.end();
  const stream = readChunks(await body.rest());
  expect(stream.chunks.some((one) => one.error)).toBe(false);
});

test('a plain completion that is not answered in time is a 504, and nothing is charged', async () => {
  const before = await service.ledger();
  const { wire, response } = await ask({ ...question, stream: false });
  vi.advanceTimersByTime(answerMilliseconds);
  const answer = await response;
  expect(answer.status).toBe(504);
  expect(await answer.json()).toMatchObject({ error: { code: 'timeout', param: null } });
  await wire.closed;
  expect(await service.ledger()).toEqual(before);
  await vi.waitFor(async () => expect((await service.purse()).holds.size).toBe(0), 60_000);
});

test('a plain completion may take as long as the operator says, and is then a 504', async () => {
  const longer = 115_000;
  service.deps.accounts.answerMilliseconds = longer;
  try {
    const { wire, response } = await ask({ ...question, stream: false });
    vi.advanceTimersByTime(longer - 1);
    answersPlainly(wire, {} as UpstreamRequest);
    expect((await response).status).toBe(200);
    const late = await ask({ ...question, stream: false });
    vi.advanceTimersByTime(longer);
    expect((await late.response).status).toBe(504);
    await late.wire.closed;
  } finally {
    service.deps.accounts.answerMilliseconds = undefined;
  }
});

describe('a request that is not answered in time', () => {
  test.each([true, false])(
    'because its body does not come is a 408, and counted (stream: %s)',
    async (stream) => {
      const requests = async () =>
        [...(await service.purse()).windows.values()].reduce((sum, count) => sum + count, 0);
      const before = await requests();
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
      const body = JSON.stringify({ ...question, stream });
      socket.write(
        `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
      );
      // The timers run from the moment at which the head is there.
      while (vi.getTimerCount() < 2) await turns(1);
      await turns(20);
      vi.advanceTimersByTime(limits.uncountedMilliseconds);
      while ((await requests()) === before) await turns(1);
      await turns(20);
      vi.advanceTimersByTime(limits.bodyMilliseconds - limits.uncountedMilliseconds);
      const [head] = await once(socket, 'data');
      expect(String(head)).toMatch(/^HTTP\/1.1 408 /);
      expect(String(head)).toContain('"code":"body_too_slow"');
      expect(String(head)).toMatch(/^ratelimit-remaining: \d+/im);
      socket.destroy();
    },
  );

  test.each([true, false])(
    'because the store hangs is a 504, and nothing is charged (stream: %s)',
    async (stream) => {
      const before = await service.ledger();
      const release = Promise.withResolvers<void>();
      const reading = onCommand('UpdateItemCommand', release.promise);
      upstream.script(stream ? hello : answersPlainly);
      const response = service.post({ ...question, stream });
      await reading;
      vi.advanceTimersByTime(answerMilliseconds);
      expect((await response).status).toBe(504);
      release.resolve();
      expect(await service.ledger()).toEqual(before);
      await vi.waitFor(async () => expect((await service.purse()).holds.size).toBe(0), 60_000);
      expect(upstream.requests).toEqual([]);
    },
  );
});

/** Resolves when this command is sent next, which then waits. */
function onCommand(name: string, until?: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  service.dynamo.dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName === name) {
        resolve();
        await until;
      }
      return next(args);
    },
    { step: 'initialize', name: 'onCommand', override: true },
  );
  return promise;
}
