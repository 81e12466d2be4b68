import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** How long each checked situation lasts. */
export interface LongTimes {
  /** The time for which the model says nothing. */
  silenceMilliseconds: number;
  /** The time for which the model writes a word now and then. */
  streamMilliseconds: number;
  /** The number of calls of tools in the run, and how long its model thinks before each call. */
  steps: number;
  stepMilliseconds: number;
  /** The time for which the model works on an answer in one piece, where the service gives one more than the usual time. */
  pieceMilliseconds?: number;
}

/** Past CloudFront's 60 s, `streamMilliseconds` of a stream on Lambda, and an invocation's 15 minutes. */
export const longTimes = (answerSeconds?: number): LongTimes => ({
  silenceMilliseconds: 70_000,
  streamMilliseconds: 320_000,
  // Each step must stay below `checkCompletionMilliseconds`, after which the service gives a silent provider up.
  steps: 10,
  stepMilliseconds: 100_000,
  // Whatever else an answer needs has the rest.
  pieceMilliseconds: answerSeconds && (answerSeconds - 5) * 1000,
});

export const longModel = 'smoke-model';

/** What a question to the model begins with, for each of the checks. */
export const asked = {
  silence: 'Smoke: be silent.',
  stream: 'Smoke: write on.',
  run: 'Smoke: work on.',
  piece: 'Smoke: answer in one piece.',
} as const;

/** The entry that the catalogue of the service must have. */
export const catalogueEntry = (modelUrl: string) => ({
  id: longModel,
  kind: 'chat',
  description: 'Answers the checks of npm run smoke -- --long, while they run.',
  upstream: { baseUrl: `${modelUrl}/v1`, model: longModel },
  price: { inputPerMillionTokens: 0, outputPerMillionTokens: 0 },
  contextTokens: 32_768,
});

interface ChatRequest {
  stream?: boolean;
  messages: { role: string; content?: unknown }[];
}

export const streamWords = 32;

/** Serves the model that the long checks ask, on all addresses of this machine. */
export async function startModelServer(
  port: number,
  times: LongTimes,
): Promise<{ port: number; close(): void }> {
  const server = createServer((request, response) => {
    answer(request, response, times).catch(() => response.destroy());
  });
  server.listen(port);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, times: LongTimes): Promise<void> {
  const body = Buffer.concat(await request.toArray()).toString('utf8');
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    response.writeHead(404).end();
    return;
  }
  const chat = JSON.parse(body) as ChatRequest;
  const question = JSON.stringify(chat.messages);
  if (chat.stream !== true) return complete(response, chat, times, question.includes(asked.piece));
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.flushHeaders();
  if (question.includes(asked.silence)) {
    await wait(times.silenceMilliseconds);
    write(response, { content: 'Done.' });
  } else
    for (let word = 1; word <= streamWords && !response.closed; word++) {
      write(response, { content: `${word} ` });
      await wait(times.streamMilliseconds / streamWords);
    }
  write(response, {}, 'stop');
  response.end('data: [DONE]\n\n');
}

const common = { id: 'chatcmpl-smoke', created: 0, model: longModel };
const usage = { prompt_tokens: 10, completion_tokens: streamWords, total_tokens: 10 + streamWords };

function write(response: ServerResponse, delta: object, finish: string | null = null): void {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const chunk = { ...common, object: 'chat.completion.chunk', choices, ...(finish && { usage }) };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

/** An answer in one piece, or a turn of a run: calls a tool until all steps are done, then answers. */
async function complete(
  response: ServerResponse,
  chat: ChatRequest,
  times: LongTimes,
  isPiece: boolean,
): Promise<void> {
  const done = chat.messages.filter(({ role }) => role === 'tool').length;
  const isStep = !isPiece && done < times.steps;
  if (isPiece) await wait(times.pieceMilliseconds);
  if (isStep) await wait(times.stepMilliseconds);
  const todos = JSON.stringify({ todos: [{ content: `step ${done + 1}`, status: 'in_progress' }] });
  const call = { id: `call_${done}`, type: 'function', function: { name: 'write_todos', arguments: todos } };
  const message = isStep
    ? { role: 'assistant', content: null, tool_calls: [call] }
    : { role: 'assistant', content: 'Done.' };
  const choices = [{ index: 0, message, finish_reason: isStep ? 'tool_calls' : 'stop' }];
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ ...common, object: 'chat.completion', choices, usage }));
}
