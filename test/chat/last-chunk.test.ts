import { describe, expect, test } from 'vitest';
import type { ScriptedUpstream, Wire } from '../support/scripted-upstream.ts';
import { type ChatService, readChunks } from './support/chat-service.ts';
import { chunk, done, event, streams, upstreamUsage, usageChunk } from './support/chunks.ts';
import { useChat } from './support/use-chat.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

const question = { model: 'writer', stream: true, messages: [{ role: 'user', content: 'Say hello' }] };
const asked = { ...question, stream_options: { include_usage: true } };

const read = async (body: object) => readChunks(await (await service.post(body)).text()).chunks;

/** Index, content and reason of each choice, and whether the chunk carries usage and impact. */
const shape = (chunks: Awaited<ReturnType<typeof read>>) =>
  chunks
    .filter((one) => !one.error)
    .map(({ choices, usage, impact }) => [
      ...choices.map((one) => {
        const { index, delta, finish_reason } = one as typeof one & { index: number };
        return `${index} ${delta.content ?? ''} ${finish_reason ?? '-'}`;
      }),
      ...(usage && impact ? ['usage'] : []),
    ]);

const choice = (index: number, content: string, reason: string | null = null) =>
  event({ ...chunk({}), choices: [{ index, delta: { content }, finish_reason: reason }] });
const stop = event(chunk({}, 'stop'));

describe('usage and impact ride on', () => {
  test.each([
    ['the chunk with finish_reason', [stop, event(usageChunk), done], [['0  stop', 'usage']]],
    [
      'the last of several with finish_reason, and the order stays',
      [choice(0, 'a', 'stop'), choice(1, 'b'), choice(1, 'c', 'length'), event(usageChunk), done],
      [['0 a stop'], ['1 b -'], ['1 c length', 'usage']],
    ],
    [
      'the last of several with finish_reason that follow each other',
      [choice(1, '', 'stop'), choice(0, '', 'length'), event(usageChunk), done],
      [['1  stop'], ['0  length', 'usage']],
    ],
    [
      'a chunk that says the finish_reason again after others that followed it',
      [choice(1, '', 'length'), choice(0, 'late'), event(usageChunk), done],
      [['1  length'], ['0 late -'], ['1  length', 'usage']],
    ],
    ['a chunk of their own when the answer breaks off', [choice(0, 'x')], [['0 x -'], ['0  -', 'usage']]],
    [
      'the finish_reason that came before an error',
      [choice(0, 'x', 'stop'), event({ error: { message: 'no' } })],
      [['0 x stop', 'usage']],
    ],
    [
      'a chunk of their own after an answer that was never finished',
      [choice(0, 'x'), done],
      [['0 x -'], ['0  -', 'usage']],
    ],
  ])('%s', async (_, pieces, expected) => {
    upstream.script(streams(event(chunk({ content: 'Hello' })), ...pieces));
    const chunks = await read(question);
    expect(shape(chunks)).toEqual([['0 Hello -'], ...expected]);
  });
});

test('every chunk has a choice for callers who did not ask for usage, whatever the upstream sends besides', async () => {
  const filter = { ...chunk({}), choices: [], prompt_filter_results: [{ prompt_index: 0 }] };
  upstream.script(streams(event(filter), choice(0, 'Hello'), stop, event(usageChunk), done));
  const chunks = await read(question);
  expect(shape(chunks)).toEqual([['0 Hello -'], ['0  stop', 'usage']]);
  expect(chunks.at(-1)).toMatchObject({ prompt_filter_results: [{ prompt_index: 0 }] });
});

test('a usage that came before the text does not make the text free', async () => {
  const early = { ...chunk({ role: 'assistant' }), usage: { prompt_tokens: 20, completion_tokens: 0 } };
  upstream.script(streams(event(early), choice(0, 'Hello there, my friend'), stop, done));
  const { usage } = (await read(question)).at(-1) as unknown as { usage: Record<string, number> };
  expect(usage.prompt_tokens).toBe(20);
  expect(usage.completion_tokens).toBeGreaterThan(3);
});

test('an answer of one chunk is one chunk', async () => {
  upstream.script(streams(choice(0, 'Hello', 'stop'), event(usageChunk), done));
  const chunks = await read(question);
  expect(shape(chunks)).toEqual([['0 Hello stop', 'usage']]);
  expect(chunks[0]).toMatchObject({ id: 'chatcmpl-up', model: 'writer', usage: upstreamUsage });
});

test('callers who ask for usage get it on a last chunk without choices', async () => {
  upstream.script(streams(choice(0, 'a', 'stop'), choice(1, '', 'stop'), event(usageChunk), done));
  expect(shape(await read(asked))).toEqual([['0 a stop'], ['1  stop'], ['usage']]);
});

/** The text that has come when the upstream has sent this much and waits. */
async function textBefore(body: object, pieces: string[], until: string): Promise<string> {
  const sent = Promise.withResolvers<Wire>();
  upstream.script(async (wire) => {
    await wire.head();
    await wire.send(...pieces);
    sent.resolve(wire);
  });
  const reader = ((await service.post(body)).body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  while (!text.includes(until)) text += Buffer.from((await reader.read()).value ?? []).toString();
  const wire = await sent.promise;
  const seen = text;
  await wire.send(event(usageChunk), done);
  wire.end();
  while (!(await reader.read()).done);
  return seen;
}

test('only the chunk with finish_reason waits for the usage', async () => {
  const pieces = [event(chunk({ content: 'Hello' })), choice(1, 'world'), stop];
  const text = await textBefore(question, pieces, 'world');
  expect(text).not.toContain('"stop"');
});

test('no chunk waits where usage has a chunk of its own', async () => {
  const text = await textBefore(asked, [event(chunk({ content: 'Hello' })), stop], '"stop"');
  expect(text).not.toContain('usage');
});
