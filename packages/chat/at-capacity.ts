import { type ErrorAnswer, soon } from '@errand/platform';

export const capacityMessage = 'Service temporarily at capacity. Please retry.';

export const atCapacity: ErrorAnswer = {
  status: 503,
  body: { error: capacityMessage },
  headers: soon,
};
