import type { AgentEvent, Citation } from '@errand/agent';
import { expect, test } from 'vitest';
import { createEvents } from '../answer/stream-answer.ts';
import { createRunOutput } from './run-output.ts';

const start: AgentEvent = { type: 'step_start', step: 1, description: 'LLM agentic loop' };
const end: AgentEvent = { type: 'step_complete', step: 1 };
const call = (toolName: string, input: object): AgentEvent => ({
  type: 'tool_call',
  toolName,
  input: JSON.stringify(input),
});
const result = (toolName: string, text: string): AgentEvent => ({
  type: 'tool_result',
  toolName,
  result: text,
});
const text = (said: string): AgentEvent => ({ type: 'text', text: said });
const done = (finalText: string): AgentEvent => ({ type: 'done', finalText });

const found =
  '[1] Noon\nhttps://a.example/noon\nIt is at noon.\n\n[2] Night\nhttps://b.example\nOr at night.';

function tell(events: readonly AgentEvent[], citations?: readonly Citation[]) {
  const types: string[] = [];
  const output = createRunOutput('k', (type) => void types.push(type.replace('response.', '')));
  for (const event of events) output.add(event, citations);
  return { items: output.items, types };
}

const message = (answer: string) => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: answer }],
});
const thought = (remark: string) => ({
  type: 'reasoning',
  content: [{ type: 'reasoning_text', text: remark }],
});

test.each<[string, AgentEvent[], object[]]>([
  [
    'an answer that is told twice is one message',
    [start, text('A'), end, text('A'), end, done('A')],
    [message('A')],
  ],
  [
    'a draft that the check replaced is no part of the answer',
    [start, text('A'), end, text('B'), end, done('B')],
    [thought('A'), message('B')],
  ],
  [
    'what is said with calls stands before them',
    [
      start,
      text('Hm.'),
      call('web_crawl', { url: 'u' }),
      result('web_crawl', 'page'),
      text('A'),
      end,
      done('A'),
    ],
    [
      thought('Hm.'),
      {
        type: 'custom_tool_call',
        name: 'web_crawl',
        input: '{"url":"u"}',
        call_id: 'call_1',
        status: 'completed',
        output: 'page',
      },
      message('A'),
    ],
  ],
  [
    'a search has its sources, and calls of one turn get their results in order',
    [
      call('web_search', { query: 'when', queries: ['when', 'why'] }),
      call('save_data', { name: 'n' }),
      call('web_search', { queries: ['x'] }),
      result('web_search', found),
      result('save_data', 'Saved.'),
      result('web_search', 'Error: no.'),
    ],
    [
      {
        type: 'web_search_call',
        status: 'completed',
        action: {
          type: 'search',
          query: 'when',
          queries: ['when', 'why'],
          sources: [
            { type: 'url', url: 'https://a.example/noon', title: 'Noon' },
            { type: 'url', url: 'https://b.example', title: 'Night' },
          ],
        },
      },
      { type: 'custom_tool_call', name: 'save_data', output: 'Saved.' },
      { type: 'web_search_call', status: 'failed', action: { query: 'x', sources: [] } },
    ],
  ],
  [
    'what is missing is a message',
    [start, end, { type: 'input_required', message: 'Which?', expected: [] }],
    [message('Which?')],
  ],
  [
    'a search that a failure cut off has failed',
    [start, text('A'), call('web_search', {}), { type: 'error', message: 'No.' }],
    [thought('A'), { type: 'web_search_call', status: 'failed', action: { query: '', queries: [] } }],
  ],
  [
    'a call that a failure cut off is incomplete',
    [call('web_crawl', {}), { type: 'error', message: 'No.' }],
    [{ type: 'custom_tool_call', status: 'incomplete' }],
  ],
  [
    "a server's tool is a call of its server, with what it answered or why it failed",
    [
      call('shop__find__it', { q: 'x' }),
      call('shop__find', {}),
      call('shop__find', {}),
      result('shop__find__it', 'One.'),
      result('shop__find', 'Error: No.'),
      { type: 'error', message: 'No.' },
    ],
    [
      {
        type: 'mcp_call',
        status: 'completed',
        server_label: 'shop',
        name: 'find__it',
        arguments: '{"q":"x"}',
        output: 'One.',
        error: null,
      },
      { status: 'failed', output: null, error: { content: [{ type: 'text', text: 'Error: No.' }] } },
      { status: 'incomplete', output: null },
    ],
  ],
  ['arguments that are no object are passed on', [call('web_crawl', ['u'])], [{ input: '["u"]' }]],
])('%s', (_, events, items) => {
  expect(tell(events).items).toMatchObject(items);
});

test('an answer has the citations of its run, by url and by file', () => {
  const place = { startIndex: 0, endIndex: 4 };
  const citations: Citation[] = [
    {
      type: 'url_citation',
      url: 'https://a.example',
      title: 'Noon',
      ...place,
      passage: 'At noon.',
      support: 0.5,
    },
    { type: 'file_citation', filename: 'a.pdf', ...place },
  ];
  const { items, types } = tell([text('Noon [1].'), done('Noon [1].')], citations);
  const shown = { start_index: 0, end_index: 4 };
  expect(items[0]).toMatchObject({
    content: [
      {
        annotations: [
          {
            type: 'url_citation',
            url: 'https://a.example',
            title: 'Noon',
            ...shown,
            passage: 'At noon.',
            support: 0.5,
          },
          { type: 'file_citation', filename: 'a.pdf', file_id: 'a.pdf', index: 4, ...shown },
        ],
      },
    ],
  });
  expect(types).toEqual([
    ...['output_item.added', 'content_part.added', 'output_text.delta', 'output_text.annotation.added'],
    ...['output_text.annotation.added', 'output_text.done', 'content_part.done', 'output_item.done'],
  ]);
});

test.each<[string, AgentEvent[], object[]]>([
  [
    'a value is the one message, and everything before it is reasoning',
    [start, text('I have found it.'), text('{"a":0}'), text('{"a":1}'), end, done('{"a":1}')],
    [thought('I have found it.'), thought('{"a":0}'), message('{"a":1}')],
  ],
  [
    'what is missing for a value is no text of a message, which clients would read as JSON',
    [start, text('Hm.'), end, { type: 'input_required', message: 'Which?', expected: [] }],
    [thought('Hm.'), thought('Which?')],
  ],
  [
    'what is missing for a value and was said before is told once',
    [start, text('Which?'), end, { type: 'input_required', message: 'Which?', expected: [] }],
    [thought('Which?')],
  ],
])('%s', (_, events, items) => {
  const output = createRunOutput('k', () => {}, true);
  for (const event of events) output.add(event);
  expect(output.items).toMatchObject(items);
  expect(output.items).toHaveLength(items.length);
});

test('a reader who goes on after any event gets each of the others once', () => {
  const events = [
    start,
    text('Hm.'),
    call('web_search', { query: 'q' }),
    result('web_search', found),
    done('A'),
  ];
  const write = (after?: number) => {
    const { emit, take } = createEvents(after);
    const output = createRunOutput('k', emit);
    return events.flatMap((event) => {
      output.add(event);
      return take()
        .split(/(?<=\n\n)/)
        .filter(Boolean);
    });
  };
  const all = write();
  expect(all.length).toBeGreaterThan(10);
  for (const [number] of all.entries()) expect(write(number)).toEqual(all.slice(number + 1));
});

test('calls that the caller makes or approves are items whose ids end in the key, and stand after what was said', () => {
  const asked = (type: 'function' | 'approval', name: string) => ({
    ...{ id: `c_${name}`, type, name, arguments: '{}', digest: 'd' },
  });
  const key = 'a'.repeat(32);
  const types: string[] = [];
  const output = createRunOutput(key, (type) => void types.push(type.replace('response.', '')));
  output.add(text('Hm.'));
  output.add({
    ...{ type: 'input_required', message: 'The run needs both.' },
    expected: ['functionResults', 'approvals'].map((name) => ({ name, description: '' })),
    calls: [asked('function', 'f'), asked('approval', 'odd__say'), asked('approval', 'save_data')],
  });
  expect(output.items).toMatchObject([
    thought('Hm.'),
    { type: 'function_call', name: 'f', call_id: `c_f_${key}`, arguments: '{}', status: 'completed' },
    {
      ...{ type: 'mcp_approval_request', id: `mcpr_c_odd__say_${key}` },
      ...{ server_label: 'odd', name: 'say', arguments: '{}' },
    },
    { type: 'mcp_approval_request', id: `mcpr_c_save_data_${key}`, server_label: '', name: 'save_data' },
  ]);
  expect(types.slice(-8)).toEqual([
    ...['output_item.added', 'function_call_arguments.delta', 'function_call_arguments.done'],
    ...['output_item.done', 'output_item.added', 'output_item.done', 'output_item.added', 'output_item.done'],
  ]);
});
