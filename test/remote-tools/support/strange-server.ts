import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Message {
  id?: number | string;
  method: string;
  params?: {
    cursor?: string;
    name?: string;
    arguments?: Record<string, unknown>;
    _meta?: Record<string, unknown>;
  };
}

/** A result, or whatever the function writes itself. */
type Answer = (message: Message, response: ServerResponse) => object | undefined;

export interface StrangeServer {
  url: string;
  host: string;
  /** What arrived, in order, and when (`performance.now`). */
  seen: { method: string; http: string; headers: IncomingHttpHeaders; message: Message; at: number }[];
  /** Replaces what is answered, by method. `GET` resumes a stream. */
  answers: Record<string, Answer>;
  stop(): Promise<void>;
}

const text = (said: string) => ({ content: [{ type: 'text', text: said }] });

export const oneTool = (name: string, description = 'A tool.', annotations: object = {}) => ({
  name,
  description,
  annotations,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
});

const usual: Record<string, Answer> = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'strange', version: '1' },
  }),
  'tools/list': () => ({ tools: [oneTool('say')] }),
  'tools/call': ({ params }) => text(`You said ${JSON.stringify(params?.arguments)}.`),
};

/** A server of the Model Context Protocol that does what a test tells it to. */
export async function startStrangeServer(): Promise<StrangeServer> {
  const seen: StrangeServer['seen'] = [];
  const answers = { ...usual };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const message = body === '' ? { method: '' } : (JSON.parse(body) as Message);
    const { method: http = '', headers } = request;
    seen.push({ method: message.method, http, headers, message, at: performance.now() });
    if (request.method === 'GET' && answers.GET) {
      answers.GET(message, response);
      return;
    }
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const answer = answers[message.method];
    const result = answer?.(message, response);
    if (answer && result === undefined) return;
    const outcome = result ? { result } : { error: { code: -32_601, message: 'Method not found' } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...outcome }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/mcp`,
    host,
    seen,
    answers,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const usualAnswers = usual;
