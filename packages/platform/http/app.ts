import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { getPath } from 'hono/utils/url';
import { newUuid } from '../ids.ts';
import { describeError, type Log } from '../log.ts';
import type { HttpEnv } from './env.ts';
import type { ErrorAnswer } from './envelope.ts';
import { errorHandler, inShape, plainErrors, sendError } from './errors.ts';
import { nextWithHeaders, setHeaders } from './headers.ts';
import { exposedHeaders } from './openapi/response-headers.ts';
import { createRouter } from './router.ts';
import { withSecurityHeaders } from './security-headers.ts';
import { rawWriteOf } from './stream-body.ts';

const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders.join(', '),
};

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const visibleAscii = /^[\x21-\x7e]{1,128}$/;

const withRequestId: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const given = c.req.header('X-Request-Id');
  const requestId = given !== undefined && visibleAscii.test(given) ? given : newUuid();
  c.set('requestId', requestId);
  await nextWithHeaders(c, { 'X-Request-Id': requestId }, next);
};

/**
 * Allows any origin, without credentials. A preflight's answer allows `authorization` and each header that was asked
 * for.
 */
const withCors: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.method !== 'OPTIONS') return nextWithHeaders(c, corsHeaders, next);
  setHeaders(c, corsHeaders);
  const asked = (c.req.header('Access-Control-Request-Headers') ?? '').toLowerCase().split(',');
  const allowed = new Set(['authorization', ...asked.map((name) => name.trim()).filter(Boolean)]);
  c.header('Access-Control-Allow-Headers', [...allowed].join(', '));
  c.header('Access-Control-Allow-Methods', methods.join(', '));
  c.header('Access-Control-Max-Age', '600');
  c.header('Vary', 'Access-Control-Request-Headers');
  return c.body(null, 204);
};

// @hono/node-server (2.1) sends its lightweight Response without reading its headers. Reading a property turns it
// into a real Response.
void RESPONSE_ALREADY_SENT.type;

/** Writes streams and known bytes straight to a Node server's response, once all other middleware has set its headers. */
const withRawWrites =
  (log: Log): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    await next();
    const outgoing = c.env?.outgoing;
    const write = outgoing && c.req.method !== 'HEAD' ? rawWriteOf(c.res) : undefined;
    if (!outgoing || !write) return;
    outgoing.writeHead(c.res.status, Object.fromEntries(c.res.headers));
    try {
      await write(outgoing);
    } catch (error) {
      log.error('response broke off', { requestId: c.get('requestId'), ...describeError(error) });
      outgoing.destroy();
    }
    // Hono's setter copies a response to merge headers into it, and @hono/node-server (2.1) would send the copy
    // again.
    c.res = undefined;
    c.res = RESPONSE_ALREADY_SENT;
  };

/** The methods of a path's routes, without middleware. Empty for an unknown path. */
function knownMethods(app: Hono<HttpEnv>, path: string): string[] {
  const known = methods.filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  );
  return known.includes('GET') && !known.includes('HEAD') ? ['HEAD', ...known] : known;
}

interface AppDeps {
  log: Log;
  /** Whether clients reach the service over HTTPS. Default: no. */
  https?: boolean;
  /**
   * Called for a path or method without a route. Counts the request of a known key and sets its rate headers. Throws
   * `rate_limited` over the limit; an unknown key is nothing to it.
   */
  countUnrouted?: (c: Context<HttpEnv>) => Promise<void>;
  /** Paths that are taken for others. */
  otherPaths?: Readonly<Record<string, string>>;
  /** Paths that have a parameter where others have words. Default: there are none. */
  pathsApart?: RegExp;
  /** What is answered to a path that other services have, with a method that is none of ours; undefined for other paths. */
  answerUnknown?: (path: string) => ErrorAnswer | undefined;
}

/** An app with request id, CORS, security headers, JSON 404, 405 with `Allow`, and a bare 500. */
export function createApp(deps: AppDeps): Hono<HttpEnv> {
  const { otherPaths = {}, pathsApart } = deps;
  const app = new Hono<HttpEnv>({
    ...(pathsApart && { router: createRouter(pathsApart) }),
    getPath(request) {
      const path = getPath(request);
      return Object.hasOwn(otherPaths, path) ? otherPaths[path]! : path;
    },
  });
  app.use(withRawWrites(deps.log), withSecurityHeaders(deps.https ?? false), withRequestId, withCors);
  app.notFound(async (c) => {
    await deps.countUnrouted?.(c);
    const { path, method } = c.req;
    const answer = deps.answerUnknown?.(path) ?? answerUnrouted(knownMethods(app, path), method);
    return sendError(c, inShape(c, answer));
  });
  app.onError(errorHandler(deps.log, plainErrors));
  return app;
}

/** The answer to a path, whose routes take these methods, that none of them gave. */
function answerUnrouted(allowed: readonly string[], method: string): ErrorAnswer {
  // The route takes the method, but its resource is unknown.
  if (allowed.length === 0 || allowed.includes(method)) return { status: 404, body: { error: 'Not found' } };
  const Allow = allowed.join(', ');
  return {
    status: 405,
    body: { error: `Method not allowed: this path takes ${Allow}` },
    headers: { Allow },
  };
}
