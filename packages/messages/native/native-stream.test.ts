import type { Impact } from '@errand/models';
import { expect, test } from 'vitest';
import type { Asked } from '../wire.ts';
import { nativeStream } from './native-stream.ts';
import { nativeWhole } from './native-whole.ts';

const asked: Asked = {
  request: { model: 'm', messages: [] },
  ...{ version: '2023-06-01', betas: undefined, requestId: 'req-1', messageId: 'msg_1', tag: '01234567' },
};
const tokens = { inputTokens: 5, cachedInputTokens: 0, outputTokens: 2 };
const impact = {} as Impact;

/** What a caller is sent of these events. Undefined where the stream breaks off. */
function relay(events: readonly object[]): (string | undefined)[] {
  const { relay, answer } = nativeStream(asked);
  const texts = events.map((event) => relay.accept(JSON.stringify(event)));
  const ending = { relayed: relay.relayed, failure: undefined, tokens, usage: {}, impact };
  return [...texts, answer.end(ending) as string];
}

const start = { type: 'message_start', message: { usage: { input_tokens: 5 } } };
const stop = { type: 'message_stop' };
const odd: readonly [string, unknown][] = [
  ['a text', 'x'.repeat(1_000)],
  ['a list', [1, 2, 3]],
  ['a number', 1],
  ['nothing', null],
];

test.each(odd)('what is %s where an object belongs is told of no stream', (_, value) => {
  const events = [
    { type: 'message_start', message: value },
    { type: 'message_delta', usage: value, delta: value },
    stop,
  ];
  const sent = relay(events).join('');
  expect(sent).not.toMatch(/"0":/);
  expect(sent.length).toBeLessThan(1_200);
  const message = { type: 'message_start', message: { usage: value } };
  expect(relay([message, stop]).join('')).not.toMatch(/"0":/);
});

test.each(odd)('what is %s where an object belongs is told of no whole answer', (_, value) => {
  const bytes = Buffer.from(JSON.stringify({ content: [value, { type: 'text', text: 'Hi' }], usage: value }));
  const completion = { bytes, parsed: { choices: [] }, isNative: true, tokens, usage: {}, impact };
  const told = JSON.parse(nativeWhole(asked, completion).toString());
  expect(told.content).toEqual([{ type: 'text', text: 'Hi' }]);
  expect(told.usage).not.toHaveProperty('0');
});

const oddUsage = {
  ...{ input_tokens: 5, output_tokens: 2, later_tokens: -1, output_tokens_details: { thinking_tokens: -1 } },
  iterations: [{ type: 'message', model: 'their-own-name', input_tokens: 5 }, { type: 'later' }, 1],
};
const shownUsage = {
  ...{ input_tokens: 5, output_tokens: 2 },
  iterations: [{ type: 'message', model: 'm', input_tokens: 5 }, { type: 'later' }, 1],
};

test('usage is told with our name for the model, and without counts that are none: in each report of a stream, and whole', () => {
  const begins = { type: 'message_start', message: { usage: oddUsage } };
  const ends = { type: 'message_delta', usage: oddUsage };
  const [first, last] = [relay([begins, stop]), relay([start, ends, stop])];
  const bytes = Buffer.from(JSON.stringify({ content: [], usage: oddUsage }));
  const whole = nativeWhole(asked, {
    bytes,
    parsed: { choices: [] },
    isNative: true,
    tokens,
    usage: {},
    impact,
  });
  const dataOf = (text = '') => JSON.parse(/^data: (.*)$/m.exec(text)![1]!);
  for (const usage of [
    dataOf(first[0]).message.usage,
    dataOf(last.at(-1)).usage,
    JSON.parse(`${whole}`).usage,
  ]) {
    expect(usage).toMatchObject(shownUsage);
    expect([usage.later_tokens, usage.output_tokens_details ?? null]).toEqual([undefined, null]);
  }
});

test('what an upstream leaves out at the end, or tells as null, is told as it began', () => {
  const began = { type: 'message_start', message: { usage: { service_tier: 'standard', a: 1, b: 2 } } };
  const ended = { type: 'message_delta', usage: { output_tokens: 2, a: null, b: 3 } };
  expect(relay([began, ended, stop]).at(-1)).toMatch(/"service_tier":"standard",.*"a":1,"b":3/);
});

test('usage of more words than there are is told in part, with the numbers that are charged', () => {
  const words = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 0]));
  const begins = { type: 'message_start', message: { usage: { ...words, input_tokens: 5 } } };
  for (const sent of relay([begins, stop])) expect(sent?.length).toBeLessThan(3_000);
  expect(relay([begins, stop]).at(-1)).toContain('"input_tokens":5');
});

test('usage in ever new words is not kept', () => {
  const events = Array.from({ length: 500 }, (_, i) => ({
    type: 'message_delta',
    usage: { output_tokens: 2, [`k${i}`]: 'x'.repeat(1_000) },
  }));
  expect(relay([start, ...events, stop]).at(-1)?.length).toBeLessThan(4_000);
});

test('a stream has one open block, whatever blocks have begun', () => {
  const events = Array.from({ length: 5_000 }, (_, index) => ({
    ...{ type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  }));
  const last = relay([start, ...events]).at(-1)!;
  expect(last.match(/content_block_stop/g)?.length).toBe(2);
  expect(last).toContain('"index":4999');
});
