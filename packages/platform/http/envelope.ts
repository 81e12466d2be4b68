import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** A string body is sent as plain text, an object as JSON. */
export interface ErrorAnswer {
  status: ContentfulStatusCode;
  body: string | object;
  headers?: Record<string, string>;
}

/** An error in the words of OpenAI's API. */
export interface Envelope {
  error: { message: string; type: string; param: string | null; code: string | null };
}

/** An error that the request caused. */
export const requestError = (
  message: string,
  code: string | null,
  param: string | null = null,
): Envelope => ({ error: { message, type: 'invalid_request_error', param, code } });

/** An error that the request did not cause. */
export const serverError = (message: string, code: string): Envelope => ({
  error: { message, type: 'server_error', param: null, code },
});
