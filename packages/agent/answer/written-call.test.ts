import { expect, test } from 'vitest';
import { writtenCall } from './written-call.ts';

const isTool = (name: string) => name === 'web_search';

test.each([
  '<tool_call>\n{"name": "web_search", "arguments": {"query": "x"}}\n</tool_call>',
  ' <tool_call>{"name": "web_search", "arguments": {"query": "x"}}',
  '<tool_call>{"name": "web_search", "arguments": {}}</tool_call>\n<tool_call>{"name": "web_crawl"}</tool_call>',
  '<tool_call>{"name": "web_search", "arguments": {"query": "x"</tool_call>',
  '{"name": "web_search", "arguments": {"query": "x"}}',
  '{"type": "function", "name": "web_search", "parameters": {"query": "x"}}',
  '```json\n{"name": "web_search", "arguments": {"query": "x"}}\n```',
])('the text %j is a call that was written out', (text) => {
  expect(writtenCall(text, isTool)).toBe('web_search');
});

test.each([
  '',
  'The bridge is 503 m long.',
  '{"name": "Ada", "arguments": {"x": 1}}',
  '{"name": "web_search", "arguments": {}, "result": 3}',
  '{"name": "web_search", "arguments": "none"}',
  '{"spans": [12, 15]}',
  '{"name": "web_search"}',
  '[]',
  'null',
  'Call it so: <tool_call>{"name": "web_search", "arguments": {}}</tool_call>',
  '{"name": "web_search", "arguments": {}} was called.',
])('the text %j is an answer', (text) => {
  expect(writtenCall(text, isTool)).toBeUndefined();
});
