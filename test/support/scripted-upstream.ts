import type { Socket } from 'node:net';
import { type LocalServer, type Received, serve } from './local-server.ts';

export interface UpstreamRequest extends Pick<Received, 'path'> {
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

export interface ScriptedUpstream extends Pick<LocalServer, 'connections' | 'close'> {
  baseUrl: string;
  requests: UpstreamRequest[];
  /** Sets the scripts of the next requests, one each. The last one answers all that follow. */
  script(...scripts: UpstreamScript[]): void;
}

/** An upstream whose script writes to the socket: it decides what is sent and how it is cut into writes. */
export async function startUpstream(): Promise<ScriptedUpstream> {
  const requests: UpstreamRequest[] = [];
  let scripts: UpstreamScript[] = [];
  const { url, connections, close } = await serve(({ path, headers, body }, { req }) => {
    const request = {
      path,
      headers: headers as Record<string, string>,
      body: JSON.parse(body || '{}'),
      text: body,
    };
    requests.push(request);
    const script = scripts.length > 1 ? scripts.shift() : scripts[0];
    return script?.(createWire(req.socket.setNoDelay(true)), request);
  });
  return {
    baseUrl: `${url}/v1`,
    requests,
    connections,
    script(...given) {
      scripts = given;
      requests.length = 0;
    },
    close,
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
