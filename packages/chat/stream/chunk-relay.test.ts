import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createChunkRelay } from './chunk-relay.ts';

const bytesOf = (chunk: unknown) => Buffer.from(typeof chunk === 'string' ? chunk : JSON.stringify(chunk));

function accept(relay: ReturnType<typeof createChunkRelay>, chunk: unknown): string | undefined {
  return relay.accept(bytesOf(chunk))?.toString('utf8');
}

const keys = ['id', 'model', 'usage', 'choices', 'extra', 'timings'];

test('only the model changes or comes in, and only the usage goes, wherever they stand', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(keys, { minLength: 1 }),
      fc.jsonValue(),
      fc.constantFrom(undefined, 1),
      fc.constantFrom(null, { prompt_tokens: 1 }),
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
        const relay = createChunkRelay('asked "for"');
        const sent = accept(relay, JSON.stringify(chunk, null, space).replaceAll('\n', ' '));
        const { usage: given, ...passed } = chunk;
        if (!('choices' in chunk)) expect(sent).toBe('');
        else
          expect(JSON.parse(sent?.replace(/^data: /, '') ?? '')).toEqual({
            ...JSON.parse(JSON.stringify(passed)),
            model: 'asked "for"',
          });
        expect(relay.relayed.usage && JSON.parse(relay.relayed.usage.toString())).toEqual(given ?? undefined);
      },
    ),
  );
});

test('an entry that stands twice, or whose key is written with escapes, is read as JSON has it', () => {
  const choices = '"choices":[{"index":0}]';
  for (const entries of ['"model":"x","model":"up-model"', '"mod\\u0065l":"up-model"']) {
    const sent = accept(createChunkRelay('asked'), `{${entries},${choices}}`);
    expect(sent).toBe(`data: {"model":"asked",${choices}}\n\n`);
  }
  const relay = createChunkRelay('asked');
  expect(accept(relay, `{${choices},"us\\u0061ge":{"prompt_tokens":3}}`)).toBe(
    `data: {"model":"asked",${choices}}\n\n`,
  );
  expect(relay.relayed.usage?.toString()).toBe('{"prompt_tokens":3}');
  expect(accept(relay, `{${choices},"err\\u006fr":{"message":"sk-secret"}}`)).toBeUndefined();
});

test.each(['{}', '{"type":"ping"}', '{"error":null}', '{"choices":null}'])(
  'what has no choices is no chunk: %s',
  (ping) => {
    const relay = createChunkRelay('asked');
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
    const relay = createChunkRelay('asked');
    accept(relay, chunk);
    expect(relay.relayed.finished).toBe(finished);
  });
});

test('an error and what is no object are not passed on', () => {
  for (const chunk of ['{"error":{"message":"x"}}', '{"error":"x"}', 'text', '[]', '{'])
    expect([chunk, accept(createChunkRelay('asked'), chunk)]).toEqual([chunk, undefined]);
});

test.each([
  '{"object":"error","message":"sk-secret","code":500}',
  '{"type":"error","message":"sk-secret"}',
  '{"detail":"sk-secret"}',
  '{"message":"sk-secret"}',
  '{"object":"error","message":"sk-secret","usage":null}',
])('what a server says in place of a chunk is not passed on: %s', (chunk) => {
  expect(accept(createChunkRelay('asked'), chunk)).toBeUndefined();
});

test("an upstream's own impact and all but the last usage of a chunk go, however they stand", () => {
  const relay = createChunkRelay('asked');
  const passed = accept(
    relay,
    '{"usage":{"prompt_tokens":1},"impact":{"energy":9},"choices":[{"delta":{}}],"usage":{"prompt_tokens":2}}',
  );
  expect(passed).toBe('data: {"model":"asked","choices":[{"delta":{}}]}\n\n');
  expect(relay.relayed.usage?.toString()).toBe('{"prompt_tokens":2}');
});

test('an event without data is no chunk, and no fault', () => {
  const relay = createChunkRelay('asked');
  expect([accept(relay, ''), accept(relay, ' '), relay.relayed.done]).toEqual(['', '', false]);
});

test.each([{}, { prompt_tokens: null }, { prompt_tokens: 0, completion_tokens: 0 }])(
  'a usage that says nothing does not replace one that did: %j',
  (usage) => {
    const relay = createChunkRelay('asked');
    accept(relay, { usage: { prompt_tokens: 1 } });
    accept(relay, { usage });
    expect(relay.relayed.usage?.toString()).toBe('{"prompt_tokens":1}');
  },
);

test.each(['[DONE]', '[DONE] ', ' [DONE]\t'])('nothing is passed on after %j', (mark) => {
  const relay = createChunkRelay('asked');
  expect([accept(relay, mark), accept(relay, { id: 'late' }), relay.relayed.done]).toEqual(['', '', true]);
});

test('what was delivered is all that the model wrote, also past what is kept unread', () => {
  const relay = createChunkRelay('asked');
  const call = { function: { name: 'weather', arguments: '{"city":' } };
  accept(relay, { choices: [{ delta: { role: 'assistant', reasoning_content: 'Hm. ' } }] });
  for (let i = 0; i < 2_000; i++)
    accept(relay, { choices: [{ delta: { content: 'ä€ ' } }], pad: 'x'.repeat(50) });
  accept(relay, { choices: [{ delta: { tool_calls: [call, { function: { arguments: '"K"}' } }] } }, null] });
  accept(relay, { choices: [{ delta: { refusal: 'No.' } }, { delta: { content: 7 } }] });
  accept(relay, '{"choices":[{"delta":{"content":unreadable}}]}');
  expect(relay.relayed.delivered.text()).toBe(`Hm. ${'ä€ '.repeat(2_000)}weather{"city":"K"}No.`);
});
