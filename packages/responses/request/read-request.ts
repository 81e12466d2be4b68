import { fieldIssue, parseJson, readJsonText, validate } from '@errand/platform';
import type { Context } from 'hono';
import { type Item, type ResponsesRequest, responsesRequest } from './schema.ts';

export interface ReadResponsesRequest {
  request: ResponsesRequest;
  /** The body as it came. */
  text: string;
}

/** Throws `DomainError` for a body that is no request. */
export async function readRequest(c: Context): Promise<ReadResponsesRequest> {
  const text = await readJsonText(c);
  return { text, request: parseRequest(text) };
}

/** Throws `DomainError` for a text that is no request. */
export function parseRequest(text: string): ResponsesRequest {
  const body = parseJson(text);
  const request = validate(responsesRequest, body);
  refuseLost(body, request);
  return request;
}

/** Throws `invalid_request` for a field that validation leaves out for its name alone, such as `__proto__`. */
function refuseLost(body: unknown, read: unknown, at = ''): void {
  if (body === read || typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body)) {
    const place = Array.isArray(body) ? `${at}[${name}]` : `${at}${at && '.'}${name}`;
    if (!Object.hasOwn(read as object, name)) throw fieldIssue(place, 'may not have this name');
    refuseLost(value, (read as Item)[name], place);
  }
}
