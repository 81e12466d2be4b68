import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';

/** A part of a body, with the time at which it came, in milliseconds since the request was sent. */
interface Piece {
  at: number;
  bytes: Buffer;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** The body as it comes. Throws if it breaks off, lasts longer than this, or has more than 8 MB. */
  pieces(longestMilliseconds: number): AsyncGenerator<Piece>;
  text(): Promise<string>;
  /** The body as JSON; undefined if the body is not JSON. */
  json<T = Record<string, unknown>>(): Promise<T | undefined>;
}

export interface Request {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
  /** Resolves the host. Default: the system's. */
  lookup?: LookupFunction;
  /** The longest silence before the request fails. */
  silenceMilliseconds?: number;
}

/** How long the body of an answer that is no stream may take. */
const plainMilliseconds = 120_000;

/** More than any answer of a sound service has. */
const mostBytes = 8_000_000;

/** Sends one request and resolves with the answer's head. An answer that comes before the body was sent counts. */
export function send(
  url: string,
  { method = 'GET', headers = {}, body, signal, lookup, silenceMilliseconds = 75_000 }: Request,
): Promise<Answer> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  const sentAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) },
      signal,
      lookup,
    });
    sent.setTimeout(silenceMilliseconds, () =>
      sent.destroy(new Error(`no byte for ${silenceMilliseconds / 1000} s`)),
    );
    sent.once('error', reject);
    sent.once('response', (response) => {
      // A server that refuses a body may cut the connection before it has read all of it.
      sent.on('error', () => {});
      const pieces = (longestMilliseconds: number) => bounded(response, sentAt, longestMilliseconds);
      const text = async () => {
        const parts: Buffer[] = [];
        for await (const { bytes } of pieces(plainMilliseconds)) parts.push(bytes);
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

async function* bounded(
  response: IncomingMessage,
  sentAt: number,
  longestMilliseconds: number,
): AsyncGenerator<Piece> {
  const tooLong = () =>
    response.destroy(new Error(`the body has not ended after ${longestMilliseconds / 1000} s`));
  const timer = setTimeout(tooLong, longestMilliseconds);
  let length = 0;
  try {
    for await (const bytes of response as AsyncIterable<Buffer>) {
      length += bytes.length;
      if (length > mostBytes) throw new Error(`the body has more than ${mostBytes / 1e6} MB`);
      yield { at: performance.now() - sentAt, bytes };
    }
  } finally {
    clearTimeout(timer);
  }
}

function parseJson<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
