import type { Context, Next } from 'hono';

export function setHeaders(c: Pick<Context, 'header'>, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
}

/**
 * Calls `next` with the headers set for any answer. Hono (4.13) drops prepared headers when a handler returns a Response of
 * its own making, so missing ones are set again afterwards.
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

/** Sets the headers that a handler dropped. */
export function keepHeaders(c: Context, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) if (!c.res.headers.has(name)) c.header(name, value);
}
