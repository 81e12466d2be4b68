import type { Context, Next } from 'hono';

export function setHeaders(c: Pick<Context, 'header'>, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
}

/**
 * Goes on with the headers set for whatever is answered. Hono (4.13) drops what was prepared when a handler returns a
 * Response of its own making, so what is missing afterwards is set again.
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
  for (const [name, value] of Object.entries(headers)) if (!c.res.headers.has(name)) c.header(name, value);
}
