import { parseJson, readJsonText, validate } from '@errand/platform';
import type { Context } from 'hono';
import { type ResponsesRequest, responsesRequest } from './schema.ts';

export interface ReadResponsesRequest {
  request: ResponsesRequest;
  /** The body as it came. */
  text: string;
}

/** Throws `DomainError` for a body that is no request. */
export async function readRequest(c: Context): Promise<ReadResponsesRequest> {
  const text = await readJsonText(c);
  return { text, request: validate(responsesRequest, parseJson(text)) };
}
