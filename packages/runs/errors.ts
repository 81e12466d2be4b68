import { commonErrors, describeIssue, type ErrorTable, errorCodes, unexpectedErrors } from '@errand/platform';
import { skillFieldErrors } from '@errand/skills';

const megabytes = (bytes: number) => `${bytes / 1_000_000} MB`;

/** The answers of runs, uploads, files and values (spec: Errors, Agent runs). */
export const runErrors: ErrorTable = {
  ...unexpectedErrors(...errorCodes.skills, ...errorCodes.models),
  ...commonErrors,
  ...skillFieldErrors,
  invalid_request: ({ issues }) => ({ status: 400, body: issues.map(describeIssue).join('\n') }),
  agents_disabled: () => ({ status: 503, body: 'Agent service is not enabled' }),
  uploads_disabled: () => ({ status: 503, body: 'Temporary file storage is not enabled' }),
  storage_unavailable: () => ({ status: 503, body: 'Temporary file storage is unavailable' }),
  conversion_disabled: () => ({ status: 503, body: 'Document conversion service is not enabled' }),
  queue_unavailable: () => ({ status: 503, body: 'Agent service is unavailable. Please retry.' }),
  upload_too_large: ({ filename, limitBytes }) => ({
    status: 413,
    body: `${JSON.stringify(filename)} is larger than the limit of ${megabytes(limitBytes)}.`,
  }),
  extension_not_accepted: ({ extension, accepted }) => ({
    status: 415,
    body: `${extension ? `Files ending in ${extension}` : 'Files without an extension'} are not accepted. Accepted: ${accepted.join(', ')}`,
  }),
  upload_unreadable: ({ reason }) => ({ status: 502, body: reason }),
  idempotency_conflict: () => ({
    status: 409,
    body: 'This Idempotency-Key was used with another request body.',
  }),
  run_not_finished: () => ({ status: 409, body: 'The run is not finished. Cancel it first.' }),
  link_altered: () => ({ status: 403, body: 'This link is not valid.' }),
  link_expired: () => ({ status: 410, body: 'This link has expired.' }),
};
