import type { FunctionUrlEvent } from './runtime.ts';

const bodiless = new Set(['GET', 'HEAD']);

export function toRequest(event: FunctionUrlEvent, signal: AbortSignal): Request {
  const { method } = event.requestContext.http;
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`;
  const body = bodiless.has(method) ? undefined : readBody(event);
  const headers = toHeaders(event);
  if (body) headers.set('Content-Length', String(body.byteLength));
  return new Request(`https://${event.requestContext.domainName}${encodedPath(event.rawPath)}${query}`, {
    method,
    headers,
    signal,
    body,
  });
}

/** Characters that stand in no path of a request line, and a `%` that begins no escape. */
const onlyDecoded = /[^\x21-\x7e]|["#<>?[\\\]^`{|}]|%(?![0-9a-f]{2})/i;

/**
 * The path as the client sent it. Function URLs pass it on as it came; an HTTP API in front of a function decodes it. A
 * decoded `?` would begin the query, and another value would be read or deleted. A path that cannot have been sent is
 * taken for a decoded one, and encoded again.
 */
function encodedPath(path: string): string {
  if (!onlyDecoded.test(path)) return path;
  return path.split('/').map(encodeURIComponent).join('/');
}

function readBody({ body, isBase64Encoded }: FunctionUrlEvent): Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined || body === '') return undefined;
  return new Uint8Array(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
}

function toHeaders({ headers, cookies }: FunctionUrlEvent): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result.set(name, asBytes(value));
  }
  if (cookies && cookies.length > 0) result.set('Cookie', cookies.join('; '));
  return result;
}

/** Lambda decodes headers as UTF-8, but `Headers` takes one character for each byte, as Node servers do. */
const asBytes = (value: string): string =>
  /[^\0-\xff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
