import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { wav } from '../../support/wav.ts';
import { png } from '../../uploads/support.ts';

export interface Usage {
  input: number;
  output: number;
}

/** A request that a provider has, and answers when the test says so. */
export interface HeldCall {
  path: string;
  /** The JSON of the request. Empty for a recording. */
  body: { model?: string; max_tokens?: number; tool_choice?: string; messages?: unknown[] };
  complete(text: string, usage?: Usage): void;
  /** A completion that calls a tool. */
  callTools(calls: { name: string; args: object }[], usage?: Usage): void;
  json(status: number, body: object): void;
  /** Sends these texts as chunks of a stream. Its head goes before the first. */
  chunks(...texts: string[]): Promise<void>;
  /** The last chunk, with the usage and `[DONE]`. */
  endStream(usage?: Usage): void;
  /** The head of an answer and a part of its body, and then a reset. */
  half(): Promise<void>;
  reset(): void;
  /** Resolves when the service has closed the connection. */
  closed: Promise<void>;
}

export type HeldScript = (call: HeldCall) => void;

/** A provider of every kind of model, and a host of an image and a recording of ten seconds. */
export interface HeldProvider {
  url: string;
  host: string;
  /** How often models were asked. */
  asked: HeldCall[];
  /** The oldest call that was not returned yet. It is answered by the test. */
  next(): Promise<HeldCall>;
  /** Answers all further calls, until `hold` is called. */
  script(script: HeldScript): void;
  hold(): void;
  close(): Promise<void>;
}

export const usual: Usage = { input: 100, output: 10 };

export async function startHeldProvider(): Promise<HeldProvider> {
  const asked: HeldCall[] = [];
  let untold: HeldCall[] = [];
  let waiting: ((call: HeldCall) => void)[] = [];
  let script: HeldScript | undefined;
  const tell = (call: HeldCall) => {
    asked.push(call);
    if (script) return script(call);
    const ask = waiting.shift();
    if (ask) ask(call);
    else untold.push(call);
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://provider');
    response.on('error', () => {});
    if (pathname === '/dot.png')
      return void response.writeHead(200, { 'Content-Type': 'image/png' }).end(png);
    if (pathname === '/talk.wav')
      return void response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(wav(10));
    const bytes = await buffer(request).catch(() => undefined);
    if (bytes) tell(heldCall(pathname, bytes, request, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    asked,
    next: async () => untold.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    script(next) {
      script = next;
    },
    hold() {
      script = undefined;
      untold = [];
      waiting = [];
      asked.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function heldCall(path: string, bytes: Buffer, request: IncomingMessage, response: ServerResponse): HeldCall {
  const isJson = request.headers['content-type']?.startsWith('application/json');
  const body = isJson ? (JSON.parse(bytes.toString()) as HeldCall['body']) : {};
  const write = (text: string) => new Promise<void>((resolve) => response.write(text, () => resolve()));
  const json = (status: number, answer: object) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  const event = (choice: object, usage?: Usage) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: body.model,
      choices: [{ index: 0, finish_reason: null, delta: {}, ...choice }],
      usage: usage && tokens(usage),
    })}\n\n`;
  const head = () => {
    if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  };
  const answer = (message: object, finish_reason: string, usage: Usage) =>
    json(200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: body.model,
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
      usage: tokens(usage),
    });
  return {
    path,
    body,
    complete: (content, usage = usual) => answer({ content }, 'stop', usage),
    callTools: (calls, usage = usual) =>
      answer(
        {
          content: null,
          tool_calls: calls.map(({ name, args }, i) => ({
            id: `call_${i}`,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          })),
        },
        'tool_calls',
        usage,
      ),
    json,
    async chunks(...texts) {
      head();
      for (const content of texts) await write(event({ delta: { content } }));
    },
    endStream(usage = usual) {
      head();
      response.end(`${event({ finish_reason: 'stop' }, usage)}data: [DONE]\n\n`);
    },
    async half() {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '5000' });
      await write('{"id":"chatcmpl-1","choices":[');
      response.destroy();
    },
    reset: () => void request.socket.resetAndDestroy(),
    closed: new Promise((resolve) => response.once('close', () => resolve())),
  };
}

const tokens = ({ input, output }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});
