import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type HttpEnv, hasCurrent, type Log, preferredType } from '@errand/platform';
import type { Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { type Page, type Pages, readPages } from './manifest.ts';

interface PagesDeps {
  /** What scripts/build-pages.ts made. */
  folder: string;
  /** The origin of links to upload and to saved files, to which the pages may connect. */
  uploadOrigin: string;
  log: Log;
}

/** Mounts the console and the reference, and sends browsers from `/` to the console. They need no key. */
export function mountPages(app: Hono<HttpEnv>, deps: PagesDeps): void {
  let read: Promise<Pages> | undefined;
  const readOnce = () => {
    read ??= readPages(deps.folder, deps.log).catch((error: unknown) => {
      read = undefined;
      throw error;
    });
    return read;
  };
  const send = async (c: Context<HttpEnv>, policy: string, otherwise?: string) => {
    const pages = await readOnce();
    const page = pages.get(pages.has(c.req.path) ? c.req.path : (otherwise ?? ''));
    return page ? sendPage(c, page, documentHeaders(policy)) : c.notFound();
  };
  // A route for GET would turn the 404 of other methods into a 405.
  app.use('/', async (c, next) => {
    if (!['GET', 'HEAD'].includes(c.req.method) || !(await readOnce()).get('/console')) return next();
    c.header('Vary', 'Accept');
    if (preferredType(c, ['application/json', 'text/html']) !== 'text/html') return next();
    return c.redirect('/console', 303);
  });
  const ownConsolePolicy = consolePolicy(deps.uploadOrigin);
  app.get('/console/assets/*', (c) => send(c, ownConsolePolicy));
  // Every other path is answered with the console's page, whose own router resolves the path.
  app.get('/console/*', (c) => send(c, ownConsolePolicy, '/console'));
  const ownReferencePolicy = referencePolicy(deps.uploadOrigin);
  app.get('/docs/', (c) => send(c, ownReferencePolicy, '/docs'));
  app.get('/docs/*', (c) => send(c, ownReferencePolicy));
}

/** The address of a page may contain the id of a run, which no other site may learn: hence `no-referrer`. */
const documentHeaders = (policy: string): Record<string, string> => ({
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
});

/** The policy of every page: it loads only what is named, submits no form by itself, and is framed by no other page. */
const base = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

const write = (directives: readonly string[]): string => [...base, ...directives].join('; ');

/**
 * The console runs its own scripts and styles, and talks to this service. A file that is too large for a form goes by a
 * link straight into the bucket.
 */
const consolePolicy = (uploadOrigin: string): string =>
  write([
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${uploadOrigin}`,
  ]);

/**
 * Swagger UI (5.35) sets styles through the DOM, evaluates nothing, and has its icons as data. A link to a saved file leads into
 * the bucket.
 */
const referencePolicy = (storageOrigin: string): string =>
  write([
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${storageOrigin}`,
  ]);

const unpack = promisify(gunzip);

/** A file whose name changes with its bytes is kept for a year. Any other is asked for again each time. */
const cacheControl = (immutable: boolean): string =>
  immutable ? 'public, max-age=31536000, immutable' : 'no-cache';

/** Sends the file, or a 304 to a browser that has it. */
async function sendPage(
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

/** hono's own match (4.13) would take `gzip;q=0` as accepting gzip. */
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
