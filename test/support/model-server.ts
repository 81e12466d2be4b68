import type { ServerResponse } from 'node:http';
import { parseChatRequest } from '@errand/stand-ins/testing';
import { type LocalServer, sendJson, sendText, serve } from './local-server.ts';

/** A chat completion request as the provider got it. */
export interface ChatRequest {
  model: string;
  stream?: boolean;
  messages: { role: string; content: unknown; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools?: { function: { name: string } }[];
  tool_choice?: string;
  response_format?: { type: string; json_schema?: { strict?: boolean; schema?: object } };
  max_tokens?: number;
}

/** Whether a run asks its model to check the answer. The tools are the same in all of its requests. */
export const isCheck = ({ messages }: Pick<ChatRequest, 'messages'>): boolean =>
  String(messages.findLast(({ role }) => role === 'user')?.content).startsWith('Before this is sent');

export interface ScriptedCall {
  name: string;
  /** A string is sent as it is. */
  args: unknown;
}

export interface Usage {
  input: number;
  output: number;
  cached?: number;
}

/** A message of the model. */
export interface Answer {
  /** Text of several pieces is sent as they come if the request asks for a stream. */
  text?: string | AsyncIterable<string>;
  calls?: ScriptedCall[];
  usage?: Usage;
  /** The finish reason, if it is not the usual one. */
  finish?: string;
}

/** What the provider answers: a message, or a fault. */
export type ScriptedAnswer =
  | Answer
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'break'
  /** Never answers. */
  | 'hang';

export type Script = (request: ChatRequest, number: number) => ScriptedAnswer | Promise<ScriptedAnswer>;

export interface Provider extends Pick<LocalServer, 'goAway' | 'close'> {
  baseUrl: string;
  /** Every chat completion request so far. */
  requests: ChatRequest[];
  /** Replaces the script. The numbers of requests start at 1 again. */
  script(script: Script): void;
}

export const defaultUsage: Usage = { input: 100, output: 10 };

/**
 * A model provider that speaks the chat completions protocol over HTTP and says what a test tells it to. It refuses
 * with a 400 what OpenAI documents as invalid, such as a tool call that no message answers.
 */
export async function startProvider(first: Script = () => ({ text: 'ok' })): Promise<Provider> {
  let current = first;
  let number = 0;
  const requests: ChatRequest[] = [];
  const { url, goAway, close } = await serve(async ({ path, body }, response) => {
    if (path !== '/v1/chat/completions') return response.writeHead(404).end();
    const request = readChatRequest(body, response);
    if (!request) return;
    requests.push(request);
    await sendAnswer(response, request, await current(request, ++number));
  });
  return {
    baseUrl: `${url}/v1`,
    requests,
    script(script) {
      current = script;
      number = 0;
      requests.length = 0;
    },
    goAway,
    close,
  };
}

/** Gives these answers one after the other, then the last one again and again. */
export const inTurn =
  (...answers: ScriptedAnswer[]): Script =>
  (_, number) =>
    answers[Math.min(number, answers.length) - 1]!;

/** The request, or undefined if it is invalid and has been refused. */
export function readChatRequest(body: string, response: ServerResponse): ChatRequest | undefined {
  try {
    return parseChatRequest(body, () => true) as ChatRequest;
  } catch (error) {
    sendJson(response, 400, { error: { message: String(error), type: 'invalid_request_error' } });
    return undefined;
  }
}

export async function sendAnswer(
  response: ServerResponse,
  { model, stream }: ChatRequest,
  answer: ScriptedAnswer,
): Promise<void> {
  if (answer === 'hang') return;
  if (answer === 'break') return void response.destroy();
  if ('status' in answer) {
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
    return sendText(response, answer.status, answer.body ?? '{"error":{"message":"scripted failure"}}');
  }
  if (stream) return sendStream(response, model, answer);
  let { text } = answer;
  if (typeof text === 'object') {
    const pieces = text;
    text = '';
    for await (const piece of pieces) text += piece;
  }
  sendJson(response, 200, completionOf(model, { ...answer, text }));
}

async function sendStream(response: ServerResponse, model: string, answer: Answer): Promise<void> {
  const { text = '', usage, finish = 'stop' } = answer;
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for await (const content of typeof text === 'string' ? text.split(/(?<= )/) : text) {
    if (response.destroyed) return;
    response.write(chunkOf(model, { delta: { content } }));
  }
  response.write(chunkOf(model, { finish_reason: finish }));
  response.write(chunkOf(model, undefined, usage ?? defaultUsage));
  response.end('data: [DONE]\n\n');
}

const head = (model: string | undefined, object: string) => ({ id: 'chatcmpl-1', object, created: 1, model });

const usageOf = ({ input, output, cached = 0 }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
});

/** One event of a stream. Without a choice it has an empty list of them. */
export const chunkOf = (model: string | undefined, choice?: object, usage?: Usage): string =>
  `data: ${JSON.stringify({
    ...head(model, 'chat.completion.chunk'),
    choices: choice ? [{ index: 0, delta: {}, finish_reason: null, ...choice }] : [],
    usage: usage && usageOf(usage),
  })}\n\n`;

/** The body of a completion. */
export function completionOf(
  model: string | undefined,
  { text, calls, usage = defaultUsage, finish }: Answer & { text?: string },
): object {
  const tool_calls = calls?.map(({ name, args }, i) => ({
    id: `call_${i}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  const message = { role: 'assistant', content: text ?? null, tool_calls };
  return {
    ...head(model, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: finish ?? (tool_calls ? 'tool_calls' : 'stop') }],
    usage: usageOf(usage),
  };
}
