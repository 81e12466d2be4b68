import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface UpstreamRequest {
  path: string;
  body: string;
  headers: IncomingHttpHeaders;
}

export type Reply = (request: UpstreamRequest, response: ServerResponse) => void;

export interface SystemOneUpstream {
  url: string;
  requests: UpstreamRequest[];
  /** Replaces the answer to further requests. */
  reply(reply: Reply): void;
  close(): Promise<void>;
}

interface DecisionBody {
  questions: Record<string, { type: string; criteria?: object }>;
}

/** An answer that gives the first option 0.5 and the others equal shares of the rest, with 7 input tokens. */
export function answersFor(body: string): Record<string, unknown> {
  const { questions } = JSON.parse(body) as DecisionBody;
  const answers = Object.entries(questions).map(([id, { type, criteria }]) => {
    if (type === 'noul') return [id, { type, noul: 0.75 }];
    const keys = Object.keys(criteria ?? {});
    const shares = keys.map((key, index) => [key, index === 0 ? 0.5 : 0.5 / (keys.length - 1)]);
    return [id, { type, probabilities: Object.fromEntries(shares) }];
  });
  return { answers: Object.fromEntries(answers), usage: { input_tokens: 7, output_tokens: 0 } };
}

export const answerAll: Reply = ({ body }, response) => sendJson(response, 200, answersFor(body));

export const answerWith =
  (status: number, body: unknown): Reply =>
  (_, response) =>
    sendJson(response, status, body);

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const paths = ['/v1/systemone', '/v1/decide/now', '/v1/decisions'];

/** Starts a server that implements the System One protocol, at two paths, and has a path for OpenAI's decisions. */
export async function startUpstream(): Promise<SystemOneUpstream> {
  const requests: UpstreamRequest[] = [];
  let current = answerAll;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray().catch(() => []);
    const path = request.url ?? '';
    if (!paths.includes(path)) return response.writeHead(404).end();
    const seen = { path, body: Buffer.concat(chunks).toString('utf8'), headers: request.headers };
    requests.push(seen);
    current(seen, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reply(reply) {
      current = reply;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
