import type { ServerResponse } from 'node:http';
import { type LocalServer, type Received, sendJson, serve } from '../../support/local-server.ts';
import { chunkOf, completionOf, type Usage, defaultUsage as usual } from '../../support/model-server.ts';
import { wav } from '../../support/wav.ts';
import { png } from '../../uploads/support.ts';

/** A request that a provider has, and answers when the test says so. */
export interface HeldCall {
  path: string;
  /** The JSON of the request. Empty for a recording. */
  body: { model?: string; max_tokens?: number; tool_choice?: unknown; messages?: unknown[]; input?: unknown };
  complete(text: string, usage?: Usage): void;
  /** A completion that calls a tool. */
  callTools(calls: { name: string; args: object }[], usage?: Usage): void;
  json(status: number, body: object): void;
  /** Sends these texts as chunks of a stream. Its head goes before the first. */
  chunks(...texts: string[]): Promise<void>;
  /** Sends this as a part of a stream. */
  raw(text: string): Promise<void>;
  /** Sends this as the last part of a stream. */
  end(text: string): void;
  /** The last chunk, with the usage if there is one, and `[DONE]`. */
  endStream(usage?: Usage | null): void;
  /** The head of an answer and a part of its body, and then a reset. */
  half(): Promise<void>;
  reset(): void;
  /** Resolves when the service has closed the connection. */
  closed: Promise<void>;
}

type HeldScript = (call: HeldCall) => void;

/** A provider of every kind of model, and a host of an image and a recording of ten seconds. */
export interface HeldProvider extends LocalServer {
  /** How often models were asked. */
  asked: HeldCall[];
  /** The oldest call that `next` has not returned yet, for the test to answer. */
  next(): Promise<HeldCall>;
  /** Answers all further calls, until `hold` is called. */
  script(script: HeldScript): void;
  hold(): void;
}

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
  const server = await serve((received, response) => {
    const { pathname } = new URL(received.path, 'http://provider');
    if (pathname === '/dot.png')
      return void response.writeHead(200, { 'Content-Type': 'image/png' }).end(png);
    if (pathname === '/talk.wav')
      return void response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(wav(10));
    tell(heldCall(pathname, received, response));
  });
  return {
    ...server,
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
  };
}

function heldCall(path: string, received: Received, response: ServerResponse): HeldCall {
  const isJson = received.headers['content-type']?.startsWith('application/json');
  const body = isJson ? (JSON.parse(received.body) as HeldCall['body']) : {};
  const write = (text: string) => new Promise<void>((resolve) => response.write(text, () => resolve()));
  const json = (status: number, answer: object) => sendJson(response, status, answer);
  const head = () => {
    if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  };
  return {
    path,
    body,
    complete: (text, usage = usual) => json(200, completionOf(body.model, { text, usage })),
    callTools: (calls, usage = usual) => json(200, completionOf(body.model, { calls, usage })),
    json,
    async chunks(...texts) {
      head();
      for (const content of texts) await write(chunkOf(body.model, { delta: { content } }));
    },
    async raw(text) {
      head();
      await write(text);
    },
    end(text) {
      head();
      response.end(text);
    },
    endStream(usage = usual) {
      head();
      response.end(`${chunkOf(body.model, { finish_reason: 'stop' }, usage ?? undefined)}data: [DONE]\n\n`);
    },
    async half() {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '5000' });
      await write('{"id":"chatcmpl-1","choices":[');
      response.destroy();
    },
    reset: () => void response.req.socket.resetAndDestroy(),
    closed: new Promise((resolve) => response.once('close', () => resolve())),
  };
}
