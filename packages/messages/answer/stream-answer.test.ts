import { MessageStream } from '@anthropic-ai/sdk/lib/MessageStream';
import type { StreamAnswer } from '@errand/chat';
import { nothingRelayed } from '@errand/chat';
import { limits, serverError } from '@errand/platform';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectLinear } from '../../../test/support/linear-time.ts';
import { readMark, tagOf } from '../thinking/mark.ts';
import type { Asked, Block } from '../wire.ts';
import { streamAnswer } from './stream-answer.ts';
import { wholeAnswer } from './whole-answer.ts';

const asked: Asked = {
  request: { model: 'writer', messages: [], max_tokens: 10 },
  version: '2023-06-01',
  betas: undefined,
  requestId: 'req-1',
  messageId: 'msg_1',
  tag: tagOf('writer'),
};
const tokens = { inputTokens: 10, cachedInputTokens: 2, cacheWriteTokens: 3, outputTokens: 5 };
const impact = { kWh: 1 } as never;

type Delta = Record<string, unknown>;
type Event = { type: string; index?: number; content_block?: Block; delta?: Block } & Record<string, unknown>;

const eventsOf = (text: string): Event[] =>
  text
    .split('\n\n')
    .filter(Boolean)
    .map((event) => {
      const [first, second, ...more] = event.split('\n');
      expect(more).toEqual([]);
      const data = JSON.parse(second!.replace(/^data: /, '')) as Event;
      expect(first).toBe(`event: ${data.type}`);
      return data;
    });

async function textOf(deltas: readonly Delta[], finish_reason = 'stop', failure?: never): Promise<string> {
  const answer: StreamAnswer = streamAnswer(asked);
  const relayed = nothingRelayed();
  const written = deltas.map((delta) => answer.write({ choices: [{ index: 0, delta }] }, relayed)).join('');
  relayed.finished = { index: 0, finish_reason } as never;
  return written + (await answer.end({ relayed, failure, tokens, usage: {}, impact }));
}

/** Holds the order of events: one block at a time, each with deltas of its kind, and indices without gaps. */
function checkOrder(events: readonly Event[]): void {
  let open: Block | undefined;
  let index = -1;
  let deltas: string[] = [];
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['message_start', 'ping']);
  for (const event of events.slice(2)) {
    if (event.type === 'content_block_start') {
      expect(open).toBeUndefined();
      open = event.content_block;
      index++;
      deltas = [];
    }
    if (event.type.startsWith('content_block')) expect(event.index).toBe(index);
    if (event.type === 'content_block_delta') deltas.push(event.delta!.type);
    if (event.type === 'content_block_stop') {
      const kinds = new Set(deltas);
      if (open?.type === 'text') expect([...kinds]).toEqual(['text_delta']);
      if (open?.type === 'tool_use') expect([...kinds]).toEqual(['input_json_delta']);
      if (open?.type === 'thinking') {
        expect([...kinds]).toEqual(['thinking_delta', 'signature_delta']);
        expect(deltas.indexOf('signature_delta')).toBe(deltas.length - 1);
      }
      open = undefined;
    }
  }
  expect(open).toBeUndefined();
  expect(events.slice(-2).map(({ type }) => type)).toEqual(['message_delta', 'message_stop']);
}

/** What the accumulator of Anthropic's own client makes of the events, of which it reads each block after each event. */
async function accumulated(events: readonly Event[]) {
  const lines = events.filter(({ type }) => type !== 'ping').map((event) => `${JSON.stringify(event)}\n`);
  const stream = MessageStream.fromReadableStream(
    new ReadableStream({
      start(controller) {
        for (const line of lines) controller.enqueue(new TextEncoder().encode(line));
        controller.close();
      },
    }),
  );
  let snapshot: Record<string, unknown> & { content: Record<string, string>[] } = { content: [] };
  stream.on('streamEvent', (_, message) => {
    snapshot = JSON.parse(JSON.stringify(message));
  });
  // A stream that is not over has no final message. Any other error is a fault of the events.
  const error = await stream.done().then(
    () => '',
    ({ message }: Error) => message,
  );
  if (events.at(-1)?.type === 'message_stop') expect(error).toBe('');
  else expect(error).toMatch(/^(|stream ended without producing a Message with role=assistant)$/);
  return snapshot;
}

interface Call {
  id: string;
  name: string;
  json: string;
}

const text = fc.string({ minLength: 1, maxLength: 8 });
const json = fc
  .dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((value) => JSON.stringify(value));

/** Calls whose pieces come in turns, each cut anywhere. */
const calls = fc
  .array(
    fc.record({ name: fc.constantFrom('look', 'say'), json, cuts: fc.array(fc.nat(), { maxLength: 3 }) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .chain((given) => {
    const told = given.map(({ name, json }, i): Call => ({ id: `call_${i}`, name, json }));
    const pieces = given.map(({ json, cuts }, i) => {
      const places = [
        0,
        ...cuts.map((cut) => cut % (json.length + 1)).toSorted((a, b) => a - b),
        json.length,
      ];
      const parts = places.slice(1).map((end, n) => json.slice(places[n], end));
      return [
        { index: i, id: `call_${i}`, type: 'function', function: { name: told[i]!.name, arguments: '' } },
        ...parts.map((part) => ({ index: i, function: { arguments: part } })),
      ];
    });
    return fc.array(fc.nat(), { minLength: 40, maxLength: 40 }).map((turns) => {
      const left = pieces.map((each) => [...each]);
      const order: object[] = [];
      // The beginnings come in order, as models write them. What follows comes in turns.
      for (const each of left) order.push(each.shift()!);
      for (const turn of turns) {
        const open = left.filter(({ length }) => length > 0);
        if (open.length > 0) order.push(open[turn % open.length]!.shift()!);
      }
      for (const each of left) order.push(...each);
      return { told, deltas: order.map((call): Delta => ({ tool_calls: [call] })) };
    });
  });

const said = fc.array(
  fc.oneof(
    text.map((content): Delta => ({ content })),
    text.map((reasoning_content): Delta => ({ reasoning_content })),
    text.map((reasoning): Delta => ({ reasoning, content: null })),
    text.map(
      (thinking): Delta => ({
        content: [{ type: 'thinking', thinking: [{ type: 'text', text: thinking }] }],
      }),
    ),
    fc.constant<Delta>({ content: '' }),
    fc.constant<Delta>({ role: 'assistant', content: null }),
  ),
  { maxLength: 8 },
);

const wordsOf = (deltas: readonly Delta[], kind: 'text' | 'thinking'): string =>
  deltas
    .map(({ content, reasoning_content, reasoning }) => {
      if (Array.isArray(content)) return kind === 'thinking' ? content[0].thinking[0].text : '';
      return (kind === 'text' ? content : (reasoning_content ?? reasoning)) ?? '';
    })
    .join('');

test('whatever a model writes, in whatever pieces, is told block by block, and the whole answer has the same blocks', async () => {
  await fc.assert(
    fc.asyncProperty(said, fc.option(calls, { nil: undefined }), said, async (first, called, last) => {
      const deltas = [...first, ...(called?.deltas ?? []), ...last];
      const events = eventsOf(await textOf(deltas));
      checkOrder(events);
      const message = await accumulated(events);
      const joined = (kind: 'text' | 'thinking') =>
        message.content
          .map((block) => (block.type === kind ? (block as unknown as Block)[kind] : ''))
          .join('');
      for (const kind of ['text', 'thinking'] as const) expect(joined(kind)).toBe(wordsOf(deltas, kind));
      const uses = message.content.filter(({ type }) => type === 'tool_use');
      expect(uses).toMatchObject(
        (called?.told ?? []).map(({ id, name, json }) => ({ id, name, input: JSON.parse(json) })),
      );
      for (const block of message.content)
        if (block.type === 'thinking')
          expect(readMark(block.signature)).toMatchObject({ tag: asked.tag, kind: 'm' });
      expect(message.usage).toMatchObject({
        ...{ input_tokens: 5, cache_read_input_tokens: 2, cache_creation_input_tokens: 3, output_tokens: 5 },
      });
      expect(message.stop_reason).toBe(called ? 'tool_use' : 'end_turn');
    }),
    { numRuns: 300 },
  );
});

test('each beginning of a stream is accepted by the accumulator of the client', async () => {
  await fc.assert(
    fc.asyncProperty(said, calls, async (first, called) => {
      const events = eventsOf(await textOf([...first, ...called.deltas]));
      for (let length = 1; length < events.length; length++)
        expect(await accumulated(events.slice(0, length))).toMatchObject({ id: 'msg_1' });
    }),
    { numRuns: 25 },
  );
});

const whole = (message: object, finish_reason = 'stop', own: Partial<Asked> = {}) =>
  JSON.parse(
    wholeAnswer(
      { ...asked, ...own },
      {
        ...{
          parsed: { choices: [{ index: 0, message, finish_reason }] },
          bytes: Buffer.alloc(0),
          isNative: false,
        },
        ...{ tokens, usage: {}, impact },
      },
    ).toString(),
  );

test('an answer in one piece is the message that its stream would have told', async () => {
  const tool_calls = [
    { id: 'functions.look:0', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
  ];
  const message = { reasoning: 'Hm.', content: 'I look.', tool_calls };
  const told = await accumulated(eventsOf(await textOf([message], 'tool_calls')));
  const own = whole(message, 'tool_calls');
  expect({ ...own, impact: undefined }).toEqual({ ...told, impact: undefined });
  expect(own.content).toMatchObject([
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: expect.stringMatching(/^[a-zA-Z0-9_-]+$/), name: 'look', input: { a: 1 } },
  ]);
  expect(own.impact).toEqual(impact);
});

test.each([
  ['no arguments', '', {}],
  ['a text', '"a"', { INVALID_JSON: '"a"' }],
  ['half of an object', '{"a":', { INVALID_JSON: '{"a":' }],
  ['an object of the server', { a: 1 }, { a: 1 }],
])('a call with %s has an object as its input', (_, args, input) => {
  const tool_calls = [{ id: 'c', type: 'function', function: { name: 'look', arguments: args } }];
  expect(whole({ tool_calls }, 'tool_calls').content).toMatchObject([{ input }]);
});

test('thinking that was switched off is not shown', () => {
  const request = { ...asked.request, thinking: { type: 'disabled' } };
  const message = { reasoning_content: 'Hm.', content: 'Yes.' };
  expect(whole(message, 'stop', { request }).content).toEqual([{ type: 'text', text: 'Yes.' }]);
});

test('a sequence that ended an answer is named where the server says so', () => {
  const request = { ...asked.request, stop_sequences: ['END'] };
  const parsed = {
    choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'stop', stop_reason: 'END' }],
  };
  const completion = { parsed, bytes: Buffer.alloc(0), isNative: false, tokens, usage: {}, impact };
  expect(JSON.parse(wholeAnswer({ ...asked, request }, completion).toString())).toMatchObject({
    ...{ stop_reason: 'stop_sequence', stop_sequence: 'END' },
  });
});

test('a stream that breaks off tells what was delivered, and then the error', async () => {
  const failure = serverError('It stopped.', 'upstream_failed') as never;
  const events = eventsOf(await textOf([{ content: 'Half' }], 'stop', failure));
  expect(events.slice(-3)).toMatchObject([
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: 5 }, impact },
    { type: 'error', error: { type: 'api_error', message: 'It stopped.' }, request_id: 'req-1' },
  ]);
});

const call = (index: number, args: string, name?: string) => ({
  ...{ index, id: `c${index}`, function: { name, arguments: args } },
});

test.each<[string, Delta, Delta]>([
  [
    'arguments of a call without a name',
    { tool_calls: [call(0, '{')] },
    { tool_calls: [call(0, 'x'.repeat(1_000_000))] },
  ],
  [
    'texts behind a call that is not over',
    { tool_calls: [call(0, '{', 'f'), call(1, '')] },
    { content: 'x'.repeat(1_000_000) },
  ],
])('%s are held as long as an event may be, and no longer', (_, first, more) => {
  const waiting = streamAnswer(asked);
  const write = (delta: Delta) => waiting.write({ choices: [{ index: 0, delta }] }, nothingRelayed());
  write(first);
  let held = 0;
  expect(() => {
    for (; held < 2 * limits.streamEventCharacters; held += 1_000_000) write(more);
  }).toThrow('too long');
  expect(held + 1_000_000).toBeGreaterThan(limits.streamEventCharacters);
});

test('calls that wait for one without a name are not held without end', () => {
  const write = (answer: StreamAnswer, ...tool_calls: object[]) =>
    answer.write({ choices: [{ index: 0, delta: { tool_calls } }] }, nothingRelayed());
  const many = Array.from({ length: 2_000 }, (_, i) => call(i + 1, '{}', 'f'));
  const waiting = streamAnswer(asked);
  write(waiting, call(0, '{'));
  expect(() => {
    for (const each of many) write(waiting, each);
  }).toThrow();
  const fluent = streamAnswer(asked);
  write(fluent, call(0, '{}', 'f'));
  for (const each of many) write(fluent, each);
});

test('the time of an answer with many calls grows with their number', async () => {
  const make = (count: number) => [
    call(0, '{'),
    ...Array.from({ length: count }, (_, i) => call(i + 1, '{}', 'f')),
  ];
  await expectLinear(make, (tool_calls) => whole({ tool_calls }, 'tool_calls'), 80_000);
});
