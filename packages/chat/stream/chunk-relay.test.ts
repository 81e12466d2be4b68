import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { streamAnswer } from '../completions-dialect.ts';
import type { EventRelay } from '../dialect.ts';
import { createChunkRelay } from './chunk-relay.ts';

const relayTo = (modelId: string, holdsFinish = false) =>
  createChunkRelay(streamAnswer({ clock: Date.now }, { modelId, separate: !holdsFinish }));

const accept = (relay: EventRelay, chunk: unknown): string | undefined =>
  relay.accept(typeof chunk === 'string' ? chunk : JSON.stringify(chunk));

const keys = ['id', 'model', 'usage', 'choices', 'extra', 'timings'];

test('a relayed chunk gets our model and loses its usage, wherever the two stand, and is otherwise unchanged', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(keys, { minLength: 1 }),
      fc.jsonValue(),
      fc.constantFrom(undefined, 1),
      fc.constantFrom(null, { prompt_tokens: 1, completion_tokens: 2 }),
      (order, extra, space, usage) => {
        const values: Record<string, unknown> = {
          id: 'x',
          model: 'up"stream',
          usage,
          choices: [{ delta: { content: 'a', model: 'inner', usage: 1 } }],
          extra,
          timings: { usage: {} },
        };
        const chunk = Object.fromEntries(order.map((key) => [key, values[key]]));
        const relay = relayTo('asked "for"');
        const sent = accept(relay, JSON.stringify(chunk, null, space).replaceAll('\n', ' '));
        const { usage: given, ...passed } = chunk;
        if (!('choices' in chunk)) expect(sent).toBe('');
        else
          expect(JSON.parse(sent?.replace(/^data: /, '') ?? '')).toEqual({
            ...JSON.parse(JSON.stringify(passed)),
            model: 'asked "for"',
          });
        expect(relay.relayed.usage).toEqual(given ?? undefined);
      },
    ),
  );
});

test('an entry that occurs twice, or whose key is written with escapes, is read as a JSON parser reads it', () => {
  const choices = '"choices":[{"index":0}]';
  for (const entries of ['"model":"x","model":"up-model"', '"mod\\u0065l":"up-model"']) {
    const sent = accept(relayTo('asked'), `{${entries},${choices}}`);
    expect(sent).toBe(`data: {"model":"asked",${choices}}\n\n`);
  }
  const relay = relayTo('asked');
  expect(accept(relay, `{${choices},"us\\u0061ge":{"prompt_tokens":3,"completion_tokens":1}}`)).toBe(
    `data: {"model":"asked",${choices}}\n\n`,
  );
  expect(relay.relayed.usage).toEqual({ prompt_tokens: 3, completion_tokens: 1 });
  expect(accept(relay, `{${choices},"err\\u006fr":{"message":"sk-secret"}}`)).toBeUndefined();
});

test.each(['{}', '{"type":"ping"}', '{"error":null}', '{"choices":null}'])(
  'what has no choices is no chunk: %s',
  (ping) => {
    const relay = relayTo('asked');
    expect([accept(relay, ping), relay.relayed.last]).toEqual(['', undefined]);
  },
);

describe('a finish_reason', () => {
  test.each([
    ['{"choices":[{"finish_reason":"stop"}]}', true],
    ['{"choices":[{"finish_reason": null},{"finish_reason" : "length"}]}', true],
    ['{"choices":[{"finish_reason":null}]}', false],
    ['{"choices":[{"finish_reason":""},{"finish_reason" : "" }]}', false],
    ['{"choices":[{"delta":{"content":"\\"finish_reason\\":\\"stop\\""},"finish_reason":null}]}', false],
    ['{"choices":[{"delta":{"content":"finish_reason"}}],"other":{"finish_reason":"stop"}}', false],
    ['{"finish_reason":"stop"}', false],
  ])('in %s: %s', (chunk, finished) => {
    const relay = relayTo('asked');
    accept(relay, chunk);
    expect(relay.relayed.finished !== undefined).toBe(finished);
  });
});

test('an error, and data that is not an object, are not passed on', () => {
  for (const chunk of ['{"error":{"message":"x"}}', '{"error":"x"}', 'text', '[]', '{'])
    expect([chunk, accept(relayTo('asked'), chunk)]).toEqual([chunk, undefined]);
});

test.each([
  '{"object":"error","message":"sk-secret","code":500}',
  '{"type":"error","message":"sk-secret"}',
  '{"detail":"sk-secret"}',
  '{"message":"sk-secret"}',
  '{"object":"error","message":"sk-secret","usage":null}',
])('what a server says in place of a chunk is not passed on: %s', (chunk) => {
  expect(accept(relayTo('asked'), chunk)).toBeUndefined();
});

test("an upstream's own impact is removed, and so is its usage but for the last, wherever they stand in a chunk", () => {
  const relay = relayTo('asked');
  const passed = accept(
    relay,
    '{"usage":{"prompt_tokens":1,"completion_tokens":1},"impact":{"energy":9},"choices":[{"delta":{}}],"usage":{"prompt_tokens":2,"completion_tokens":1}}',
  );
  expect(passed).toBe('data: {"model":"asked","choices":[{"delta":{}}]}\n\n');
  expect(relay.relayed.usage).toEqual({ prompt_tokens: 2, completion_tokens: 1 });
});

test('an event without data is neither a chunk nor a failure', () => {
  const relay = relayTo('asked');
  expect([accept(relay, ''), accept(relay, ' '), relay.relayed.done]).toEqual(['', '', false]);
});

test.each([{}, { prompt_tokens: null }, { prompt_tokens: 0, completion_tokens: 0 }, { prompt_tokens: 9 }])(
  'a usage that says nothing does not replace one that did: %j',
  (usage) => {
    const relay = relayTo('asked');
    const full = { prompt_tokens: 1, completion_tokens: 1 };
    accept(relay, { usage: full });
    accept(relay, { usage });
    expect(relay.relayed.usage).toEqual(full);
  },
);

test.each(['[DONE]', '[DONE] ', ' [DONE]\t'])('nothing is passed on after %j', (mark) => {
  const relay = relayTo('asked');
  expect([accept(relay, mark), accept(relay, { id: 'late' }), relay.relayed.done]).toEqual(['', '', true]);
});

test('a key that would change a prototype is a field like any other', () => {
  const relay = relayTo('asked');
  const fields = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}';
  const passed = accept(relay, `{"model":"up","choices":[{"delta":{${fields}}}],${fields}}`);
  expect(passed).toBe(`data: {"model":"asked","choices":[{"delta":{${fields}}}],${fields}}\n\n`);
  expect(Object.prototype).not.toHaveProperty('polluted');
});

test('a chunk that is nested too deep to be written again is not passed on', () => {
  const deep = '['.repeat(500_000) + ']'.repeat(500_000);
  expect(accept(relayTo('asked'), `{"choices":[{"delta":{"content":${deep}}}]}`)).toBeUndefined();
});

describe('a relay that holds a finish back', () => {
  const content = (index: number, text: string) => ({ choices: [{ index, delta: { content: text } }] });
  const finish = (index: number) => ({ choices: [{ index, delta: {}, finish_reason: 'stop' }] });
  const dataOf = (texts: (string | undefined)[]) =>
    texts
      .join('')
      .split('\n\n')
      .filter(Boolean)
      .map((event) => JSON.parse(event.slice('data: '.length)));

  test('keeps the order of chunks, and only the last finish', () => {
    const relay = relayTo('asked', true);
    const chunks = [content(0, 'a'), content(1, 'b'), finish(1), content(0, 'c'), finish(0), finish(2)];
    const passed = dataOf(chunks.map((chunk) => accept(relay, chunk)));
    expect(passed).toEqual(chunks.slice(0, -1).map((chunk) => ({ model: 'asked', ...chunk })));
    expect(relay.relayed.held).toEqual(finish(2));
  });

  test('holds the finish until after the usage', () => {
    const relay = relayTo('asked', true);
    const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } };
    expect([accept(relay, finish(0)), accept(relay, usage)]).toEqual(['', '']);
    expect(relay.relayed.held).toEqual(finish(0));
  });
});

test('the NaN and Infinity of servers in Python become null, and stay in texts', () => {
  const sent = accept(
    relayTo('asked'),
    '{"model":"up","choices":[{"delta":{"content":"NaN \\"-Infinity"},"logprobs":[NaN,-Infinity,Infinity,1]}]}',
  );
  expect(JSON.parse(sent?.replace(/^data: /, '') ?? '').choices).toEqual([
    { delta: { content: 'NaN "-Infinity' }, logprobs: [null, null, null, 1] },
  ]);
  expect(accept(relayTo('asked'), '{"choices":[{"delta":{"content":"NaN')).toBeUndefined();
});

test('a chunk that cannot be serialised again breaks the stream before the charge, even if held back', () => {
  const deep = '['.repeat(500_000) + ']'.repeat(500_000);
  for (const chunk of [
    `{"choices":[{"delta":{},"finish_reason":"stop","deep":${deep}}]}`,
    `{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"deep":${deep}}}`,
  ])
    expect(accept(relayTo('asked', true), chunk)).toBeUndefined();
});
