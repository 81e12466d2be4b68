import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as waitFor } from 'node:timers/promises';
import { handleEmbeddings } from './embeddings.ts';
import { listModels } from './models.ts';
import { handleSystemOne } from './system-one/handle.ts';
import { handleTranscription } from './transcription.ts';
import { handleChat } from './wire/chat.ts';
import { sendError, sendJson, WireError } from './wire/http.ts';

interface StandInOptions {
  host: string;
  /** A free port is chosen if it is 0 or left out. */
  port?: number;
  /** Used only for the `created` times of answers. */
  clock?: () => number;
  /** Waits between the words of an answer that is to be written slowly. */
  wait?: (milliseconds: number) => Promise<unknown>;
}

export interface StandIns {
  /** For OpenAI-compatible clients. Ends in `/v1`. */
  baseUrl: string;
  /** For System One clients, which add `/v1/systemone` themselves. */
  decisionBaseUrl: string;
  close(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
type Routes = Record<string, { method: 'GET' | 'POST'; handle: Handler }>;

/** Serves the stand-in models. They keep no state: the same request always gets the same answer. */
export async function startStandIns({
  host,
  port = 0,
  clock = Date.now,
  wait = waitFor,
}: StandInOptions): Promise<StandIns> {
  const routes: Routes = {
    '/v1/models': { method: 'GET', handle: (_request, response) => sendJson(response, 200, listModels()) },
    '/v1/chat/completions': {
      method: 'POST',
      handle: (request, response) => handleChat({ clock, wait }, request, response),
    },
    '/v1/embeddings': { method: 'POST', handle: handleEmbeddings },
    '/v1/audio/transcriptions': { method: 'POST', handle: handleTranscription },
    '/v1/systemone': { method: 'POST', handle: handleSystemOne },
  };
  const server = createServer((request, response) => {
    answer(routes, request, response).catch((error) => sendError(response, error));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const origin = originOf(server.address() as AddressInfo);
  return {
    baseUrl: `${origin}/v1`,
    decisionBaseUrl: origin,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(routes: Routes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').replace(/\?.*$/, '');
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (route === undefined) throw new WireError(404, `Unknown path ${path}`);
  if (route.method !== request.method) {
    response.setHeader('allow', route.method);
    throw new WireError(405, `${path} takes ${route.method}`);
  }
  await route.handle(request, response);
}

const originOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
