import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { limits } from '../limits.ts';
import { describeError, type Log } from '../log.ts';
import { securityHeaders } from './security-headers.ts';

type Fetch = Parameters<typeof getRequestListener>[0];

/** A Node server of an app. What fails outside of the app's routes is a line of the log, and an answer if it can be one. */
export function createNodeServer(fetch: Fetch, log: Log): Server {
  const errorHandler = (error: unknown) => {
    const status = error instanceof RequestError ? 400 : 500;
    log[status === 400 ? 'info' : 'error']('request failed', { status, ...describeError(error) });
    return new Response(null, { status, headers: securityHeaders(false) });
  };
  const server = createServer(
    // The library would end a connection half a second after the answer, while its client is sending.
    getRequestListener(fetch, { overrideGlobalObjects: false, errorHandler, autoCleanupIncoming: false }),
  );
  server.on('clientError', (error, socket) => refuseMalformed(log, error, socket as Answering));
  // Before the library answers: it may do so at once.
  server.prependListener('request', endAnswered);
  endUnread(server);
  // Node's default ends a request after 5 minutes; an upload may take longer.
  server.requestTimeout = 0;
  // A load balancer keeps idle connections for 130 s at most. If this server closed them first, requests could be lost.
  server.keepAliveTimeout = 145_000;
  return server;
}

/**
 * A client reads its answer while it sends. Its connection ends if it goes on sending for long after that, and not before the
 * body is whole, also where the client wants it closed: a client that is writing then would lose the answer.
 */
function endAnswered(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { socket, headers } = incoming;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  const isLast = hasBody && !outgoing.shouldKeepAlive;
  // Node closes the connection with the last answer, and reads this when it writes the head.
  if (isLast) Object.defineProperty(outgoing, 'shouldKeepAlive', { get: () => !incoming.complete, set() {} });
  outgoing.once('finish', () => {
    incoming.resume();
    if (isLast && incoming.complete) socket.destroySoon();
    if (incoming.complete) return;
    if (isLast) incoming.once('end', () => socket.destroySoon());
    setTimeout(() => incoming.complete || socket.destroy(), limits.answeredBodyMilliseconds).unref();
  });
}

/** A client that reads nothing of its answer, or leaves much of it unread while memory is short, loses its connection. */
function endUnread(server: Server): void {
  server.timeout = limits.streamStallMilliseconds;
  server.on('timeout', (socket: Answering) => {
    // Without an answer that is being made, it is idle.
    if (!socket._httpMessage || socket.writableLength > 0) socket.destroy();
  });
  const open = new Set<ServerResponse>();
  server.on('request', (_, outgoing) => {
    open.add(outgoing);
    outgoing.once('close', () => open.delete(outgoing));
  });
  const checking = setInterval(() => cutFullest(open), limits.unreadCheckMilliseconds).unref();
  server.once('close', () => clearInterval(checking));
}

/** Answers of one connection wait for each other, so that one alone may have hundreds. */
function cutFullest(open: ReadonlySet<ServerResponse>): void {
  const waiting = new Map<Socket, number>();
  for (const { req, writableLength } of open)
    waiting.set(req.socket, (waiting.get(req.socket) ?? 0) + writableLength);
  let total = [...waiting.values()].reduce((sum, bytes) => sum + bytes, 0);
  for (const [socket, bytes] of [...waiting].toSorted(([, a], [, b]) => b - a)) {
    if (total <= limits.unreadAnswersBytes) return;
    socket.destroy();
    total -= bytes;
  }
}

/** Node keeps the response that a socket is sending here. */
type Answering = Socket & { _httpMessage?: ServerResponse | null };

const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers as Node does for a server without this listener. */
function refuseMalformed(log: Log, error: NodeJS.ErrnoException, socket: Answering): void {
  const status = statuses[error.code ?? ''] ?? 400;
  const isGone = !socket.writable || error.code === 'ECONNRESET' || error.code === 'EPIPE';
  if (!isGone) log.info('malformed request', { status, code: error.code });
  if (isGone || socket._httpMessage?.headersSent) socket.destroy(error);
  else socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
}
