import {
  commonErrors,
  type ErrorTable,
  errorCodes,
  plainIssues,
  soon,
  unexpectedErrors,
} from '@errand/platform';

const megabytes = (bytes: number) => `${bytes / 1_000_000} MB`;

/** The answers to refusals about a file, for every route that receives or sends files. */
export const uploadErrors = {
  uploads_disabled: () => ({ status: 503, body: 'Temporary file storage is not enabled' }),
  storage_unavailable: () => ({
    status: 503,
    body: 'Temporary file storage is unavailable',
    headers: soon,
  }),
  conversion_disabled: () => ({ status: 503, body: 'Document conversion service is not enabled' }),
  too_many_uploads: ({ limit, retryAfterSeconds }) => ({
    status: 429,
    body: `This account has ${limit} open uploads. Create a run with one of them, or wait until one expires.`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  }),
  upload_too_large: ({ filename, limitBytes }) => ({
    status: 413,
    body: `${JSON.stringify(filename)} is larger than the limit of ${megabytes(limitBytes)}.`,
  }),
  extension_not_accepted: ({ extension, accepted }) => ({
    status: 415,
    body: `${extension ? `Files ending in ${extension}` : 'Files without an extension'} are not accepted. Accepted: ${accepted.join(', ')}`,
  }),
  upload_unreadable: ({ reason }) => ({ status: 502, body: reason }),
  link_altered: () => ({ status: 403, body: 'This link is not valid.' }),
  link_expired: () => ({ status: 410, body: 'This link has expired.' }),
} satisfies Partial<ErrorTable>;

/** The answers of the routes of uploads and saved files. */
export const uploadRouteErrors: ErrorTable = {
  ...unexpectedErrors(
    ...errorCodes.runs,
    ...errorCodes.agentField,
    ...errorCodes.agents,
    ...errorCodes.skillField,
    ...errorCodes.skills,
    ...errorCodes.models,
  ),
  ...commonErrors,
  ...plainIssues,
  ...uploadErrors,
};
