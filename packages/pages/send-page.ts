import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type HttpEnv, hasCurrent } from '@errand/platform';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { Page } from './manifest.ts';

const unpack = promisify(gunzip);

/** A file whose name changes with its bytes is kept for a year. Any other is asked for again each time. */
const cacheControl = (immutable: boolean): string =>
  immutable ? 'public, max-age=31536000, immutable' : 'no-cache';

/** Sends the file, or a 304 to a browser that has it. */
export async function sendPage(
  c: Context<HttpEnv>,
  { packed, type, etag, immutable }: Page,
  headers: Record<string, string>,
): Promise<Response> {
  const known = { ...headers, 'Cache-Control': cacheControl(immutable), ETag: etag, Vary: 'Accept-Encoding' };
  if (hasCurrent(c.req.header('If-None-Match'), etag)) return c.body(null, 304, known);
  const takesGzip = preferredEncoding(c) === 'gzip';
  const bytes = takesGzip ? packed : await unpack(packed);
  return c.body(new Uint8Array(bytes), 200, {
    ...known,
    'Content-Type': type,
    'Content-Length': String(bytes.byteLength),
    ...(takesGzip && { 'Content-Encoding': 'gzip' }),
  });
}

/** hono's own match (4.13) takes `gzip;q=0` for a yes. */
const preferredEncoding = (c: Context): string =>
  accepts(c, {
    header: 'Accept-Encoding',
    supports: ['gzip'],
    default: 'identity',
    match: (ranges) => {
      const gzip = ranges.find(({ type }) => type === 'gzip') ?? ranges.find(({ type }) => type === '*');
      return gzip !== undefined && gzip.q > 0 ? 'gzip' : 'identity';
    },
  });
