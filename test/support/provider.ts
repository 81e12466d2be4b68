import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A chat completion request as the provider got it. */
export interface ChatRequest {
  model: string;
  messages: { role: string; content: unknown; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools?: { function: { name: string } }[];
  tool_choice?: string;
  max_tokens?: number;
}

export interface ScriptedCall {
  name: string;
  args: unknown;
}

/** What the provider answers: a message, or a fault. */
export type ScriptedAnswer =
  | {
      text?: string;
      calls?: ScriptedCall[];
      usage?: { input: number; output: number; cached?: number };
      /** The finish reason, if it is not the usual one. */
      finish?: string;
    }
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'break'
  /** Never answers. */
  | 'hang';

export type Script = (request: ChatRequest, number: number) => ScriptedAnswer | Promise<ScriptedAnswer>;

export interface Provider {
  baseUrl: string;
  /** Every chat completion request so far. */
  requests: ChatRequest[];
  /** Replaces the script. The numbers of requests start at 1 again. */
  script(script: Script): void;
  /** Refuses connections until the returned function has been called. */
  goAway(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export const defaultUsage = { input: 100, output: 10 };

/** A model provider that speaks the chat completions protocol over HTTP and says what a test tells it to. */
export async function startProvider(first: Script = () => ({ text: 'ok' })): Promise<Provider> {
  let current = first;
  let number = 0;
  const requests: ChatRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    if (request.url !== '/v1/chat/completions') {
      response.writeHead(404).end();
      return;
    }
    const chat = JSON.parse(body) as ChatRequest;
    requests.push(chat);
    answer(response, chat.model, await current(chat, ++number));
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    script(script) {
      current = script;
      number = 0;
      requests.length = 0;
    },
    async goAway() {
      await close();
      return () => listen(port);
    },
    close,
  };
}

/** Gives these answers one after the other, then the last one again and again. */
export const inTurn =
  (...answers: ScriptedAnswer[]): Script =>
  (_, number) =>
    answers[Math.min(number, answers.length) - 1]!;

async function readBody(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString('utf8');
}

function answer(response: ServerResponse, model: string, scripted: ScriptedAnswer): void {
  if (scripted === 'hang') return;
  if (scripted === 'break') {
    response.destroy();
    return;
  }
  if ('status' in scripted) {
    response.writeHead(scripted.status, { 'Content-Type': 'application/json', ...scripted.headers });
    response.end(scripted.body ?? '{"error":{"message":"scripted failure"}}');
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(completion(model, scripted)));
}

function completion(
  model: string,
  { text, calls, usage = defaultUsage, finish }: Extract<ScriptedAnswer, { text?: string }>,
) {
  const tool_calls = calls?.map(({ name, args }, i) => ({
    id: `call_${i}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text ?? null, tool_calls },
        finish_reason: finish ?? (tool_calls ? 'tool_calls' : 'stop'),
      },
    ],
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
    },
  };
}
