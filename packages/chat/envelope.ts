import { type Envelope, type ErrorAnswer, soon } from '@errand/platform';

export { type Envelope, requestError } from '@errand/platform';

export const capacityMessage = 'Service temporarily at capacity. Please retry.';

/** An error that the request did not cause. */
export const serverError = (message: string, code: string): Envelope => ({
  error: { message, type: 'server_error', param: null, code },
});

export const atCapacity: ErrorAnswer = {
  status: 503,
  body: { error: capacityMessage },
  headers: soon,
};
