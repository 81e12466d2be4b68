import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** A part of a body, with the time at which it came, in milliseconds since the request was sent. */
export interface Piece {
  at: number;
  bytes: Buffer;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** The body as it comes. Throws if it breaks off. */
  pieces: AsyncGenerator<Piece>;
  text(): Promise<string>;
  /** The body as JSON; undefined if it is none. */
  json<T = Record<string, unknown>>(): Promise<T | undefined>;
}

export interface Request {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
}

/** How long an answer that is no stream may take, and how long a stream may be silent. */
const patienceMilliseconds = 75_000;

/** Sends one request and resolves with the answer's head. An answer that comes before the body was sent counts. */
export function send(url: string, { method = 'GET', headers = {}, body, signal }: Request): Promise<Answer> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  const sentAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) },
      ...(signal && { signal }),
    });
    sent.setTimeout(patienceMilliseconds, () =>
      sent.destroy(new Error(`no byte for ${patienceMilliseconds / 1000} s`)),
    );
    sent.once('error', reject);
    sent.once('response', (response) => {
      // A server that refuses a body may cut the connection before it has read all of it.
      sent.on('error', () => {});
      const pieces = timed(response, sentAt);
      const text = async () => {
        const parts: Buffer[] = [];
        for await (const { bytes } of pieces) parts.push(bytes);
        return Buffer.concat(parts).toString('utf8');
      };
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(
          Object.entries(response.headers).map(([name, value = '']) => [name, String(value)]),
        ),
        pieces,
        text,
        json: async () => parseJson(await text()),
      });
    });
    sent.end(body);
  });
}

async function* timed(response: AsyncIterable<Buffer>, sentAt: number): AsyncGenerator<Piece> {
  for await (const bytes of response) yield { at: performance.now() - sentAt, bytes };
}

function parseJson<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
