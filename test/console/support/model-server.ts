import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelRequest {
  model: string;
  stream?: boolean;
  messages: { role: string; content: unknown }[];
  tools?: { function: { name: string } }[];
}

/** A message of the model. Its text may come in pieces, each when it is there. */
export interface ModelAnswer {
  text?: string | AsyncIterable<string>;
  calls?: { name: string; args: object }[];
}

export type ModelScript = (request: ModelRequest, number: number) => ModelAnswer | Promise<ModelAnswer>;

export interface ModelServer {
  baseUrl: string;
  /** Replaces the script. The numbers of requests start at 1 again. */
  script(script: ModelScript): void;
  close(): Promise<void>;
}

/** A provider of one scripted model, which streams where it is asked to. */
export async function startModelServer(): Promise<ModelServer> {
  let script: ModelScript = () => ({ text: 'ok' });
  let number = 0;
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8')) as ModelRequest;
    const answer = await script(body, ++number);
    await (body.stream ? stream(response, body.model, answer) : complete(response, body.model, answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    script(given) {
      script = given;
      number = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const usage = {
  prompt_tokens: 1840,
  completion_tokens: 212,
  total_tokens: 2052,
  prompt_tokens_details: { cached_tokens: 640 },
};

const head = (model: string) => ({ id: 'chatcmpl-1', created: 1, model });

async function complete(
  response: ServerResponse,
  model: string,
  { text, calls }: ModelAnswer,
): Promise<void> {
  const tool_calls = calls?.map(({ name, args }, i) => ({
    id: `call_${i}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const pieces: string[] = [];
  for await (const piece of typeof text === 'string' ? [text] : (text ?? [])) pieces.push(piece);
  const message = {
    role: 'assistant',
    content: pieces.length > 0 ? pieces.join('') : null,
    tool_calls,
  };
  const choices = [{ index: 0, message, finish_reason: tool_calls ? 'tool_calls' : 'stop' }];
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ ...head(model), object: 'chat.completion', choices, usage }));
}

async function stream(response: ServerResponse, model: string, { text = '' }: ModelAnswer): Promise<void> {
  const send = (delta: object, more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({
        ...head(model),
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason: null, ...more }],
      })}\n\n`,
    );
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for await (const content of typeof text === 'string' ? text.split(/(?<= )/) : text) {
    if (response.destroyed) return;
    send({ content });
  }
  send({}, { finish_reason: 'stop' });
  response.write(`data: ${JSON.stringify({ ...head(model), choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}
