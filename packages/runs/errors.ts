import {
  commonErrors,
  type ErrorTable,
  errorCodes,
  plainIssues,
  soon,
  unexpectedErrors,
} from '@errand/platform';
import { skillFieldErrors } from '@errand/skills';
import { uploadErrors } from '@errand/uploads';

/** The answers of the routes of runs. */
export const runErrors: ErrorTable = {
  ...unexpectedErrors(...errorCodes.skills, ...errorCodes.models),
  ...commonErrors,
  ...plainIssues,
  ...skillFieldErrors,
  ...uploadErrors,
  agents_disabled: () => ({ status: 503, body: 'Agent service is not enabled' }),
  queue_unavailable: () => ({
    status: 503,
    body: 'Agent service is unavailable. Please retry.',
    headers: soon,
  }),
  idempotency_conflict: () => ({
    status: 409,
    body: 'This Idempotency-Key was used with another request body.',
  }),
  idempotency_busy: () => ({
    status: 409,
    body: 'A request with this Idempotency-Key is being worked on. Please retry.',
    headers: soon,
  }),
  run_not_finished: () => ({ status: 409, body: 'The run is not finished. Cancel it first.' }),
};
