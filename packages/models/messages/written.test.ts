import { expect, test } from 'vitest';
import { hiddenTokensIn, paidPart } from './written.ts';

const delta = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}';

test.each([
  ['as they are', delta],
  ['with escapes', delta.replace('block_delta', 'block\\u005fdelta')],
  ['with escapes in both types', delta.replaceAll('_delta"', '\\u005fdelt\\u0061"')],
])('a delta is metered however its names are written: %s', (_, data) => {
  expect(JSON.parse(data)).toEqual(JSON.parse(delta));
  expect(paidPart(data)).toBe(data);
});

test.each([
  '{"type":"content_block_stop","index":0}',
  '{"type":"ping","x":"\\u005f"}',
  '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
  '{"type":{"toString":1},"x":"\\u005f"}',
  '\\u005f',
])('what has no text is not metered: %s', (data) => {
  expect(paidPart(data)).toBe('');
});

test('the beginning of a whole block is metered, however its names are written', () => {
  const block = '"content_block":{"type":"text","text":"Hello"}';
  const parts = ['block_start', 'block\\u005fstart'].map((type) =>
    paidPart(`{"type":"content_${type}","index":0,${block}}`),
  );
  expect(parts[0]).toContain('Hello');
  expect(parts[1]).toBe(parts[0]);
});

test.each([
  [{ type: 'redacted_thinking', data: 'QUJD'.repeat(500) }, 400],
  [{ type: 'redacted_thinking', data: 1 }, 0],
  [{ type: 'thinking_delta', thinking: '', estimated_tokens: 50 }, 50],
  ...[null, -1, 0.5, '50', 1e15].map((estimated_tokens): [object, number] => [
    { type: 'thinking_delta', thinking: '', estimated_tokens },
    0,
  ]),
  [{ type: 'thinking_delta', thinking: 'Hm', estimated_tokens: 50 }, 0],
  [{ type: 'text_delta', text: 'Hm', estimated_tokens: 50 }, 0],
  [{ type: 'text', text: 'Hello', data: 'QUJD' }, 0],
] as [Record<string, unknown>, number][])('what nobody can read is estimated: %j', (part, tokens) => {
  expect(hiddenTokensIn(part)).toBe(tokens);
});
