/** An error as OpenAI's clients read it. */
export interface Envelope {
  error: { message: string; type: string; param: string | null; code: string | null };
}

/** An error that the request caused. */
export const requestError = (
  message: string,
  code: string | null,
  param: string | null = null,
): Envelope => ({ error: { message, type: 'invalid_request_error', param, code } });
