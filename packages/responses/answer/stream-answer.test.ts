import { nothingRelayed } from '@errand/chat';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ResponsesRequest } from '../request/schema.ts';
import type { Frame, ResponseObject } from './response-object.ts';
import { refusedStream, streamAnswer } from './stream-answer.ts';
import { wholeAnswer } from './whole-answer.ts';

const frame: Frame = {
  key: '0'.repeat(32),
  createdAtMilliseconds: 1_700_000_000_000,
  request: { model: 'writer', input: 'Hi' } as ResponsesRequest,
};
const measured = {
  tokens: { inputTokens: 3, cachedInputTokens: 1, outputTokens: 2, reasoningTokens: 1 },
  usage: {},
  impact: {
    version: '20261121',
    inferenceTime: { total: 1, unit: 'ms' as const },
    energy: { total: 1, unit: 'Wms' as const },
    emissions: { total: 1, unit: 'ugCO2e' as const },
  },
};
const failure = {
  error: { message: 'It broke.', type: 'server_error', param: null, code: 'upstream_failed' },
};
const finish = async (response: ResponseObject) => response;

interface Event {
  type: string;
  sequence_number: number;
  response?: ResponseObject;
  delta?: string;
  [field: string]: unknown;
}

function readEvents(text: string): Event[] {
  const events: Event[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      events.push(JSON.parse(data));
      expect(event).toBe(events.at(-1)?.type);
    },
  });
  parser.feed(text);
  return events;
}

/** The events of a stream of these choices. */
async function write(choices: object[], { finished = 'stop', broken = false } = {}): Promise<Event[]> {
  const answer = streamAnswer(frame, finish);
  const relayed = nothingRelayed();
  let text = '';
  for (const choice of choices) text += answer.write({ choices: [choice] }, relayed);
  relayed.finished = { index: 0, finish_reason: finished };
  text += await answer.end({ ...measured, relayed, failure: broken ? failure : undefined });
  return readEvents(text);
}

const delta = (fields: object) => ({ index: 0, delta: fields });
const call = (fields: object) => delta({ tool_calls: [fields] });
const short = (events: Event[]): string[] =>
  events.map(({ type, delta: added }) => {
    const name = type.replace('response.', '');
    return added === undefined ? name : `${name} ${added}`;
  });

const lifecycle = (events: string[], end = 'completed') => ['created', 'in_progress', ...events, end];
const message = (events: string[]) => [
  ...['output_item.added', 'content_part.added'],
  ...events,
  ...['content_part.done', 'output_item.done'],
];

describe('chunks become events', () => {
  const rows: [name: string, choices: object[], events: string[], output: object[]][] = [
    [
      'text',
      [
        delta({ role: 'assistant', content: '' }),
        delta({ content: 'He' }),
        delta({ content: 'y' }),
        delta({}),
      ],
      message(['output_text.delta He', 'output_text.delta y', 'output_text.done']),
      [{ type: 'message', status: 'completed', content: [{ type: 'output_text', text: 'Hey' }] }],
    ],
    [
      'thoughts, then text',
      [delta({ reasoning_content: 'Hm' }), delta({ content: 'Hey' })],
      [
        ...message(['reasoning_text.delta Hm', 'reasoning_text.done']),
        ...message(['output_text.delta Hey', 'output_text.done']),
      ],
      [
        { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm' }] },
        { type: 'message', content: [{ text: 'Hey' }] },
      ],
    ],
    [
      'thoughts under both of their names, which count once',
      [delta({ reasoning_content: 'Hm', reasoning: 'Hm' })],
      message(['reasoning_text.delta Hm', 'reasoning_text.done']),
      [{ type: 'reasoning', content: [{ text: 'Hm' }] }],
    ],
    [
      "parts of Mistral's",
      [
        delta({
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
            { type: 'text', text: 'Hey' },
          ],
        }),
      ],
      [
        ...message(['reasoning_text.delta Hm', 'reasoning_text.done']),
        ...message(['output_text.delta Hey', 'output_text.done']),
      ],
      [{ type: 'reasoning' }, { type: 'message' }],
    ],
    [
      'a refusal after a text, in the same message',
      [delta({ content: 'Hey' }), delta({ refusal: 'No.' })],
      message([
        ...['output_text.delta Hey', 'output_text.done', 'content_part.done', 'content_part.added'],
        ...['refusal.delta No.', 'refusal.done'],
      ]),
      [{ type: 'message', content: [{ text: 'Hey' }, { type: 'refusal', refusal: 'No.' }] }],
    ],
    [
      'citations',
      [
        delta({
          content: 'Hey',
          annotations: [
            {
              type: 'url_citation',
              url_citation: { url: 'http://a', title: 'A', start_index: 0, end_index: 3 },
            },
          ],
        }),
      ],
      message(['output_text.delta Hey', 'output_text.annotation.added', 'output_text.done']),
      [
        {
          content: [
            {
              annotations: [
                { type: 'url_citation', url: 'http://a', title: 'A', start_index: 0, end_index: 3 },
              ],
            },
          ],
        },
      ],
    ],
    [
      'a text and then a call',
      [
        delta({ content: 'Wait' }),
        call({ index: 0, id: 'a', type: 'function', function: { name: 'add', arguments: '{}' } }),
      ],
      [
        ...message(['output_text.delta Wait', 'output_text.done']),
        ...[
          'output_item.added',
          'function_call_arguments.delta {}',
          'function_call_arguments.done',
          'output_item.done',
        ],
      ],
      [
        { type: 'message', status: 'completed' },
        { type: 'function_call', call_id: 'a', name: 'add', arguments: '{}' },
      ],
    ],
    [
      'calls whose pieces come in turns',
      [
        call({ index: 0, id: 'a', function: { name: 'add', arguments: '' } }),
        call({ index: 1, id: 'b', function: { name: 'sub', arguments: '[' } }),
        call({ index: 0, function: { arguments: '{}' } }),
        call({ index: 1, function: { arguments: ']' } }),
      ],
      [
        ...['output_item.added', 'output_item.added', 'function_call_arguments.delta ['],
        ...['function_call_arguments.delta {}', 'function_call_arguments.delta ]'],
        ...[
          'function_call_arguments.done',
          'output_item.done',
          'function_call_arguments.done',
          'output_item.done',
        ],
      ],
      [
        { name: 'add', arguments: '{}' },
        { name: 'sub', arguments: '[]' },
      ],
    ],
    [
      'calls that all have the same index, and whole arguments',
      [
        call({ index: 0, id: 'a', function: { name: 'add', arguments: '{}' } }),
        call({ index: 0, id: 'b', function: { name: 'add', arguments: '{}' } }),
      ],
      [
        ...['output_item.added', 'function_call_arguments.delta {}'],
        ...['output_item.added', 'function_call_arguments.delta {}'],
        ...[
          'function_call_arguments.done',
          'output_item.done',
          'function_call_arguments.done',
          'output_item.done',
        ],
      ],
      [{ call_id: 'a' }, { call_id: 'b' }],
    ],
    [
      'a call without index and id, whose arguments are an object',
      [call({ function: { name: 'add', arguments: { a: 1 } } })],
      [
        'output_item.added',
        'function_call_arguments.delta {"a":1}',
        'function_call_arguments.done',
        'output_item.done',
      ],
      [{ call_id: expect.stringMatching(/^call_/), name: 'add', arguments: '{"a":1}' }],
    ],
    [
      'a call that is named late, and every time',
      [
        call({ index: 0, id: 'a', function: { arguments: '{' } }),
        call({ index: 0, id: 'a', function: { name: 'add', arguments: '}' } }),
        call({ index: 0, id: 'a', function: { name: 'add', arguments: '' } }),
      ],
      [
        'output_item.added',
        'function_call_arguments.delta {}',
        'function_call_arguments.done',
        'output_item.done',
      ],
      [{ call_id: 'a', name: 'add', arguments: '{}' }],
    ],
    [
      'a call of a custom tool',
      [call({ index: 0, id: 'c', type: 'custom', custom: { name: 'patch', input: '*** x' } })],
      [
        'output_item.added',
        'custom_tool_call_input.delta *** x',
        'custom_tool_call_input.done',
        'output_item.done',
      ],
      [{ type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '*** x' }],
    ],
    ['nothing at all', [delta({})], [], []],
    ['a second choice, which nobody asked for', [{ index: 1, delta: { content: 'x' } }], [], []],
  ];

  test.each(rows)('%s', async (_, choices, expected, output) => {
    const events = await write(choices);
    expect(short(events)).toEqual(lifecycle(expected));
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(
      events.map((_event, index) => index),
    );
    expect(events.at(-1)?.response?.output).toMatchObject(output);
  });
});

test('the pieces of any answer join to what the last event says, in one piece or in many', async () => {
  const piece = fc.oneof(
    fc.string().map((content) => ({ content })),
    fc.string().map((reasoning_content) => ({ reasoning_content })),
    fc.string().map((refusal) => ({ refusal })),
    fc.tuple(fc.nat(2), fc.string()).map(([index, args]) => ({
      tool_calls: [{ index, id: `call_${index}`, function: { name: 'add', arguments: args } }],
    })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece), async (pieces) => {
      const events = await write(pieces.map(delta));
      const joined = new Map<string, string>();
      for (const { item_id, content_index = '', delta: added } of events)
        if (added !== undefined)
          joined.set(
            `${item_id} ${content_index}`,
            (joined.get(`${item_id} ${content_index}`) ?? '') + added,
          );
      const output = (events.at(-1)?.response?.output ?? []) as Record<string, unknown>[];
      const told = output.flatMap(({ id, content, arguments: args }) =>
        Array.isArray(content)
          ? content.map((part, index) => [`${id} ${index}`, part.text ?? part.refusal])
          : args === ''
            ? []
            : [[`${id} `, args]],
      );
      expect([...joined].sort()).toEqual(told.sort());
      const added = events.filter(({ type }) => type === 'response.output_item.added').length;
      expect([added, events.filter(({ type }) => type === 'response.output_item.done').length]).toEqual([
        output.length,
        output.length,
      ]);
    }),
  );
});

describe('an answer ends', () => {
  test.each([
    ['stop', 'completed', null],
    ['tool_calls', 'completed', null],
    ['eos', 'completed', null],
    ['length', 'incomplete', { reason: 'max_output_tokens' }],
    ['content_filter', 'incomplete', { reason: 'content_filter' }],
  ])('by %s as %s', async (finished, status, incomplete_details) => {
    const last = (await write([delta({ content: 'Hey' })], { finished })).at(-1);
    expect(last).toMatchObject({
      type: `response.${status}`,
      response: {
        ...{ status, incomplete_details, error: null, output: [{ status }] },
        usage: {
          input_tokens: 3,
          input_tokens_details: { cached_tokens: 1 },
          output_tokens: 2,
          output_tokens_details: { reasoning_tokens: 1 },
          total_tokens: 5,
        },
        impact: measured.impact,
      },
    });
  });

  test('as failed where it broke off, with what was written and its usage', async () => {
    const last = (await write([delta({ content: 'He' })], { broken: true })).at(-1);
    expect(last).toMatchObject({
      type: 'response.failed',
      response: {
        status: 'failed',
        error: { code: 'upstream_failed', message: 'It broke.' },
        output: [{ status: 'incomplete', content: [{ text: 'He' }] }],
        usage: { total_tokens: 5 },
      },
    });
  });

  test('as failed if nothing was written', () => {
    const events = readEvents(refusedStream(frame, failure));
    expect(short(events)).toEqual(lifecycle([], 'failed'));
    expect(events.at(-1)?.response).toMatchObject({
      ...{ status: 'failed', output: [], usage: null, store: false },
    });
  });
});

test('an answer in one piece is what its events would have ended with', async () => {
  const said = { reasoning_content: 'Hm', content: 'Hey' };
  const last = (await write([delta(said)])).at(-1)?.response;
  const choice = { index: 0, message: said, finish_reason: 'stop' };
  const completion = { ...measured, bytes: Buffer.alloc(0), parsed: { choices: [choice] }, isNative: false };
  expect(JSON.parse((await wholeAnswer(frame, completion, finish)).toString())).toEqual(last);
});
