import { limits } from '@errand/platform';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { type ChatService, chatCatalogue, startChatService } from '../chat/support/chat-service.ts';
import {
  answersPlainly,
  chunk,
  done,
  event,
  plainAnswer,
  streams,
  usageChunk,
} from '../chat/support/chunks.ts';
import { useChat } from '../chat/support/use-chat.ts';
import type { ScriptedUpstream, UpstreamScript } from '../support/scripted-upstream.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

const clientOf = ({ baseUrl, key }: ChatService) =>
  new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: key, maxRetries: 0 });

const grammar = 'start: "*** Begin Patch" LF';
/** As Codex declares it. */
const patchTool = {
  type: 'custom' as const,
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar' as const, syntax: 'lark' as const, definition: grammar },
};
const patch = '*** Begin Patch\n+say "hello" \u{1F600} \\d\n*** End Patch';

/** What a server of chat completions that knows functions alone takes and refuses. */
const functionsAlone =
  (answer: UpstreamScript): UpstreamScript =>
  (wire, request) => {
    const { tools = [], messages } = request.body as {
      tools?: { type: string }[];
      messages: { tool_calls?: { type: string }[] }[];
    };
    const types = [...tools, ...messages.flatMap(({ tool_calls = [] }) => tool_calls)].map(
      ({ type }) => type,
    );
    if (types.every((type) => type === 'function')) return answer(wire, request);
    return wire.json(400, { error: { message: `unknown type of tool: ${types}` } });
  };

const call = (written: string) => ({
  id: 'call_1',
  type: 'function',
  function: { name: 'apply_patch', arguments: written },
});

const callsPlainly = (written: string): UpstreamScript =>
  functionsAlone((wire) =>
    wire.json(200, {
      ...plainAnswer,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: null, tool_calls: [call(written)] },
          finish_reason: 'tool_calls',
        },
      ],
    }),
  );

/** The call's arguments come a few characters at a time, so that escapes and surrogate pairs are cut. */
const callsStreamed = (written: string): UpstreamScript => {
  const pieces = written.match(/[\s\S]{1,3}/g) ?? [];
  const piece = (more: object) => event(chunk({ tool_calls: [{ index: 0, ...more }] }));
  return functionsAlone(
    streams(
      piece(call('')),
      ...pieces.map((text) => piece({ function: { arguments: text } })),
      event(chunk({}, 'tool_calls')),
      event(usageChunk),
      done,
    ),
  );
};

const asked = { model: 'writer', input: 'Say hello', tools: [patchTool] };
/** With every character outside of ASCII escaped, as some servers write it. */
const written = JSON.stringify({ input: patch }).replace(
  /[^\x00-\x7f]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

test('a custom tool is a function of one text for an upstream that has functions alone, and its call comes back as custom', async () => {
  upstream.script(callsPlainly(written));
  const { output } = await clientOf(service).responses.create(asked);
  expect(output).toMatchObject([
    { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: patch, status: 'completed' },
  ]);
  const [tool] = upstream.requests[0]!.body.tools as [{ type: string; function: Record<string, unknown> }];
  expect(tool).toMatchObject({
    type: 'function',
    function: { name: 'apply_patch', parameters: { required: ['input'], additionalProperties: false } },
  });
  expect(tool.function.description).toContain('Edits files.');
  expect(tool.function.description).toContain(grammar);
});

test('a call that is streamed has its text in pieces as they come, and is the same when they are joined', async () => {
  upstream.script(callsStreamed(written));
  const stream = await clientOf(service).responses.create({ ...asked, stream: true });
  let joined = '';
  const types = new Set<string>();
  for await (const event of stream) {
    types.add(event.type);
    if (event.type === 'response.custom_tool_call_input.delta') {
      expect(event.delta.isWellFormed()).toBe(true);
      joined += event.delta;
    }
    if (event.type === 'response.custom_tool_call_input.done') expect(event.input).toBe(patch);
    if (event.type === 'response.completed')
      expect(event.response.output).toMatchObject([{ type: 'custom_tool_call', input: patch }]);
  }
  expect(joined).toBe(patch);
  expect([...types].filter((type) => type.includes('function'))).toEqual([]);
});

test('the result of a call goes back as that of the function, with the call before it', async () => {
  upstream.script(functionsAlone(answersPlainly));
  await clientOf(service).responses.create({
    ...asked,
    input: [
      { role: 'user', content: 'Say hello' },
      { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: patch },
      { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Done' },
    ],
    tool_choice: { type: 'custom', name: 'apply_patch' },
  });
  const { messages, tool_choice } = upstream.requests[0]!.body;
  expect(messages).toEqual([
    { role: 'user', content: 'Say hello' },
    { role: 'assistant', content: null, tool_calls: [call(JSON.stringify({ input: patch }))] },
    { role: 'tool', tool_call_id: 'call_1', content: 'Done' },
  ]);
  expect(tool_choice).toEqual({ type: 'function', function: { name: 'apply_patch' } });
});

test.each([
  ['no JSON', '*** Begin Patch'],
  ['another object', '{"patch":"*** Begin Patch"}'],
])('arguments that are %s are the text of the call as they stand', async (_, text) => {
  const expected = [{ type: 'custom_tool_call', input: text }];
  upstream.script(callsPlainly(text));
  expect((await clientOf(service).responses.create(asked)).output).toMatchObject(expected);
  upstream.script(callsStreamed(text));
  const streamed = await clientOf(service).responses.stream(asked).finalResponse();
  expect(streamed.output).toMatchObject(expected);
});

test('a tool with the name of a custom one, and a grammar too long for a description, are refused', async () => {
  upstream.script(answersPlainly);
  const definition = 'x'.repeat(limits.describedGrammarCharacters + 1);
  const same = { type: 'function' as const, name: 'apply_patch', parameters: {}, strict: false };
  for (const tools of [
    [patchTool, same],
    [patchTool, patchTool],
    [{ ...patchTool, format: { ...patchTool.format, definition } }],
    [{ ...patchTool, format: { ...patchTool.format, syntax: { toString: 1 } as never } }],
    [{ ...patchTool, description: { toString: 1 } as never }],
  ])
    await expect(clientOf(service).responses.create({ ...asked, tools })).rejects.toMatchObject({
      status: 400,
      param: 'tools',
    });
  expect(upstream.requests).toEqual([]);
});

test('an upstream that has custom tools gets them as they are', async () => {
  const catalogue = chatCatalogue(upstream.baseUrl);
  const [model, ...others] = catalogue.models;
  const writer = { ...model!, upstream: { ...model!.upstream, customTools: true } };
  const other = await startChatService({ ...catalogue, models: [writer, ...others] });
  upstream.script(answersPlainly);
  await clientOf(other).responses.create(asked);
  expect(upstream.requests[0]?.body.tools).toMatchObject([
    { type: 'custom', custom: { name: 'apply_patch' } },
  ]);
  await other.close();
});

test('a call that a run has made itself is refused as what is of a run', async () => {
  const made = { type: 'custom_tool_call', call_id: 'c', name: 'web_crawl', input: '{}', output: 'Text' };
  await expect(
    clientOf(service).responses.create({ model: 'writer', input: [made as never] }),
  ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('is of a run') });
});
