import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { delay } from '@errand/platform';
import type { ChatRequest } from '../support/provider.ts';

/** What a provider in trouble does: a 500, a 429 that names no time, a reset connection. */
const troubles = ['error', 'busy', 'reset'] as const;

export interface StormProvider {
  baseUrl: string;
  /** Fails every request for a while, each in another way. */
  failFor(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

export const toolCallsPerRun = 3;
/** The calls' turns, the answer and the final check. */
export const completionsPerRun = toolCallsPerRun + 2;
export const runUsage = { input: 100, output: 10 };
export const answerOf = (label: string) => `Run ${label} is done.`;

const thinkMilliseconds = 150;
/** Every fourth stream lasts for longer than a stop gives it. */
const chunksPerStream = { short: 30, long: 130 };
const chunkMilliseconds = 100;

/** Answers depend on the conversation alone, so that a repeated request gets the same answer. */
export async function startStormProvider(): Promise<StormProvider> {
  let failing = 0;
  let failures = 0;
  const server = createServer(async (request, response) => {
    // A service that starts asks for the list of models.
    if (request.method === 'GET') return void response.writeHead(404).end();
    const body = JSON.parse(await text(request)) as ChatRequest & { stream?: boolean };
    await delay(thinkMilliseconds * (0.5 + Math.random()));
    if (failing > 0) return fail(response, troubles[failures++ % troubles.length]!);
    if (body.stream) return stream(response, body);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(complete(body)));
  });
  server.on('request', (_, response) => response.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async failFor(milliseconds) {
      failing++;
      await delay(milliseconds);
      failing--;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function fail(response: ServerResponse, trouble: (typeof troubles)[number]): void {
  if (trouble === 'reset') response.destroy();
  else response.writeHead(trouble === 'busy' ? 429 : 500).end();
}

function complete({ messages }: ChatRequest): object {
  const question = String(messages.find(({ role }) => role === 'user')?.content);
  const label = /\[run (\S+)\]/.exec(question)?.[1];
  if (label === undefined) return completion({ content: 'Hello.' }, chatUsage(question));
  const turn = messages.filter(({ role }) => role === 'assistant').length + 1;
  const call = {
    id: `call_${turn}`,
    type: 'function',
    function: { name: 'save_data', arguments: JSON.stringify({ name: `${label}-${turn}`, value: label }) },
  };
  const message =
    turn <= toolCallsPerRun ? { content: null, tool_calls: [call] } : { content: answerOf(label) };
  return completion(message, { prompt_tokens: runUsage.input, completion_tokens: runUsage.output });
}

/** The number of a chat is in its tokens, by which its charge is found. */
const chatUsage = (question: string) => ({
  prompt_tokens: 100,
  completion_tokens: 1_000 + numberOf(question),
});

const numberOf = (question: string) => Number(/\[chat (\d+)\]/.exec(question)?.[1]);

const completion = (message: object, usage: object) => ({
  id: 'storm',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  usage,
});

async function stream(response: ServerResponse, { messages }: ChatRequest): Promise<void> {
  const send = (chunk: object) => response.write(`data: ${JSON.stringify({ id: 'storm', ...chunk })}\n\n`);
  const question = String(messages.at(-1)?.content);
  const chunks = numberOf(question) % 4 === 0 ? chunksPerStream.long : chunksPerStream.short;
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (let i = 0; i < chunks && !response.destroyed; i++) {
    send({ choices: [{ index: 0, delta: { content: `word ${i} ` } }] });
    await delay(chunkMilliseconds);
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage: chatUsage(question) });
  response.end('data: [DONE]\n\n');
}
