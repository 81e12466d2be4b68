import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface UpstreamRequest {
  path: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** The body as it came over the wire. */
  text: string;
}

/** Writes raw bytes of HTTP; each piece is its own write. */
export interface Wire {
  send(...pieces: (string | Buffer)[]): Promise<void>;
  /** Sends a status line and headers. Only the end of the connection ends the body. */
  head(status?: number, headers?: Record<string, string>): Promise<void>;
  json(status: number, body: unknown, headers?: Record<string, string>): Promise<void>;
  end(): void;
  reset(): void;
  /** Resolves when the other side has closed the connection. */
  closed: Promise<void>;
}

export type UpstreamScript = (wire: Wire, request: UpstreamRequest) => Promise<void> | void;

export interface ScriptedUpstream {
  baseUrl: string;
  requests: UpstreamRequest[];
  /** Connections opened so far. */
  connections(): number;
  /** Sets the scripts of the next requests, one each. The last one answers all that follow. */
  script(...scripts: UpstreamScript[]): void;
  close(): Promise<void>;
}

/** An upstream on a bare socket: the script decides what is sent and how it is cut into writes. */
export async function startUpstream(): Promise<ScriptedUpstream> {
  const requests: UpstreamRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let scripts: UpstreamScript[] = [];
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    const wire = createWire(socket);
    readRequests(socket, (request) => {
      requests.push(request);
      const script = scripts.length > 1 ? scripts.shift() : scripts[0];
      void script?.(wire, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    connections: () => connections,
    script(...given) {
      scripts = given;
      requests.length = 0;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function createWire(socket: Socket): Wire {
  const write = (bytes: string | Buffer) =>
    new Promise<void>((resolve) => {
      if (socket.destroyed) return resolve();
      socket.write(bytes, () => resolve());
    });
  const wire: Wire = {
    async send(...pieces) {
      for (const piece of pieces) await write(piece);
    },
    head: (status = 200, headers = { 'Content-Type': 'text/event-stream' }) =>
      write(`HTTP/1.1 ${status} X\r\n${format({ Connection: 'close', ...headers })}\r\n`),
    json(status, body, headers = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const all = {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(text)),
        ...headers,
      };
      return write(`HTTP/1.1 ${status} X\r\n${format(all)}\r\n${text}`);
    },
    end: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
  };
  return wire;
}

const format = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

function readRequests(socket: Socket, onRequest: (request: UpstreamRequest) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (packet) => {
    bytes = Buffer.concat([bytes, packet]);
    for (;;) {
      const headEnd = bytes.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const [requestLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
      );
      const end = headEnd + 4 + Number(headers['content-length'] ?? 0);
      if (bytes.length < end) return;
      const text = bytes.toString('utf8', headEnd + 4, end);
      bytes = bytes.subarray(end);
      onRequest({ path: requestLine.split(' ')[1] ?? '', headers, body: JSON.parse(text || '{}'), text });
    }
  });
}
