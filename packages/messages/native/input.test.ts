import { expect, test } from 'vitest';
import type { MessagesRequest } from '../wire.ts';
import { nativeInput } from './input.ts';

const native = { baseUrl: '', model: 'm', api: 'messages' as const };
type Asked = Record<string, unknown>;
const asked = (fields: Asked) => ({
  tag: '01234567',
  request: { model: 'm', max_tokens: 9, messages: [], ...fields } as MessagesRequest,
});
const read = (fields: Asked, upstreams = [native]) => nativeInput(asked(fields), upstreams);
const user = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });
const textOf = (fields: Asked) => read(fields).counted.toString();

const said = 'said to this model alone';
test.each<[string, Asked]>([
  ['a text', { messages: [{ role: 'user', content: said }] }],
  ['a block of text', user({ type: 'text', text: said })],
  ['a summary', user({ type: 'compaction', content: said })],
  ['a block that nobody knows', user({ type: 'later', deep: [{ words: said }] })],
  ['a result of a tool', user({ type: 'tool_result', content: [{ type: 'text', text: said }] })],
  ['a call of a tool', user({ type: 'tool_use', input: { content: [{ signature: said }] } })],
  ['a document of text', user({ type: 'document', source: { type: 'text', data: said } })],
  [
    'a page',
    user({ type: 'web_fetch_tool_result', content: { content: { source: { type: 'text', data: said } } } }),
  ],
  ['thinking', user({ type: 'thinking', thinking: said, signature: '' })],
  ['the prompt', { system: [{ type: 'text', text: said }] }],
  ['examples of a tool', { tools: [{ name: 'a', input_examples: [{ b: said }] }] }],
  ['an instruction for summaries', { context_management: { edits: [{ instructions: said }] } }],
  ['a field that nobody knows', { later: { deep: said } }],
])('%s is text of a request for a provider of the protocol', (_, fields) => {
  const { counted, textBytes, ...others } = read(fields);
  expect(counted.toString()).toContain(said);
  expect(textBytes).toBe(counted.length);
  expect(others).toEqual({ fileBytes: 0, sealedBytes: 0, pictures: 0, files: 0, isSummarized: false });
});

const data = 'QUJD'.repeat(100);
const base64 = (media_type: string) => ({ type: 'base64', media_type, data });
const picture = { type: 'image', source: base64('image/png') };
const pdf = { type: 'document', title: said, source: base64('application/pdf') };
test.each<[string, Asked, object]>([
  ['a picture', user(picture), { pictures: 1 }],
  ['a picture at an address', user({ type: 'image', source: { type: 'url', url: data } }), { pictures: 1 }],
  ['pictures in a result', user({ type: 'tool_result', content: [picture, picture] }), { pictures: 2 }],
  [
    'a picture in a document',
    user({ type: 'document', source: { type: 'content', content: [picture] } }),
    { pictures: 1 },
  ],
  ['a document', user(pdf), { files: 1, fileBytes: data.length }],
  ['a document at an address', user({ type: 'document', source: { type: 'url', url: data } }), { files: 1 }],
  [
    'a page that was fetched',
    user({ type: 'web_fetch_tool_result', content: { content: pdf } }),
    { files: 1, fileBytes: data.length },
  ],
  ['a signature', user({ type: 'thinking', thinking: said, signature: data }), { sealedBytes: data.length }],
  ['sealed thinking', user({ type: 'redacted_thinking', data }), { sealedBytes: data.length }],
  [
    'a sealed summary',
    user({ type: 'compaction', content: said, encrypted_content: data }),
    { sealedBytes: data.length },
  ],
])('%s is no text of it', (_, fields, found) => {
  const { counted, ...input } = read(fields);
  expect(counted.toString()).not.toContain(data);
  expect(input).toMatchObject({ fileBytes: 0, sealedBytes: 0, pictures: 0, files: 0, ...found });
});

test('thinking of another model is not sent, and so it is no input', () => {
  const thinking = { type: 'thinking', thinking: said, signature: `errand_00000000_n${data}` };
  expect(textOf(user(thinking, { type: 'text', text: 'Hi' }))).not.toContain(said);
  expect(read(user(thinking, { type: 'text', text: 'Hi' })).sealedBytes).toBe(0);
});

const edits = (...types: unknown[]) => ({ context_management: { edits: types.map((type) => ({ type })) } });
test.each<[boolean, string, Asked]>([
  [true, 'compact_20260112', edits('compact_20260112')],
  [true, 'a later one behind another', edits('clear_thinking_20251015', 'compact_20300101')],
  [false, 'edits that leave out', edits('clear_tool_uses_20250919', 'clear_thinking_20251015')],
  [false, 'no edits', { context_management: {} }],
  [false, 'what are no edits', { context_management: { edits: 'compact_20260112' } }],
  [false, 'an edit that is none', { context_management: { edits: [null, 'compact_20260112'] } }],
  [false, 'a summary in place of an answer', { compaction: { type: 'summarize' } }],
])('it is %s that a summary is written beside the answer for %s', (isSummarized, _, fields) => {
  expect(read(fields)).toMatchObject({ isSummarized });
  const dropping = { ...native, fields: { context_management: 'drop' as const } };
  expect(read(fields, [dropping])).toMatchObject({ isSummarized: false });
  expect(read(fields, [dropping, native])).toMatchObject({ isSummarized });
});
