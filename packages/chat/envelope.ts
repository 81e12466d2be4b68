import { type ErrorAnswer, soon } from '@errand/platform';

export interface Envelope {
  error: { message: string; type: string; param: string | null; code: string | null };
}

export const capacityMessage = 'Service temporarily at capacity. Please retry.';

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

export const atCapacity: ErrorAnswer = {
  status: 503,
  body: { error: capacityMessage },
  headers: soon,
};
