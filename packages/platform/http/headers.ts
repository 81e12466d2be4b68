import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, Next } from 'hono';

export function setHeaders(c: Pick<Context, 'header'>, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
}

/**
 * Goes on with the headers set for whatever is answered. Hono (4.13) drops what was prepared when a handler returns a
 * Response of its own making, so what is missing afterwards is set again. A handler that returns
 * `RESPONSE_ALREADY_SENT` has written `c.res.headers` itself.
 */
export async function nextWithHeaders(
  c: Context,
  headers: Record<string, string>,
  next: Next,
): Promise<void> {
  setHeaders(c, headers);
  await next();
  keepHeaders(c, headers);
}

/** After a handler: sets again what it dropped. */
export function keepHeaders(c: Context, headers: Record<string, string>): void {
  if (c.res.headers.has(alreadySent)) keepAlreadySent(c);
  else
    for (const [name, value] of Object.entries(headers)) if (!c.res.headers.has(name)) c.header(name, value);
}

const [alreadySent] = [...RESPONSE_ALREADY_SENT.headers.keys()] as [string];

/** Hono's setter copies a response to merge headers into it; @hono/node-server (2.1) would send the copy once more. */
function keepAlreadySent(c: Context): void {
  c.res = undefined;
  c.res = RESPONSE_ALREADY_SENT;
}
