import {
  commonErrors,
  describeIssue,
  type ErrorAnswer,
  type ErrorTable,
  errorCodes,
  refusalWords,
  slowBodyMessage,
  soon,
  unexpectedErrors,
} from '@errand/platform';

const maxIssues = 10;

const invalidRequest = (error: string): ErrorAnswer => ({
  status: 422,
  body: { error, code: 'invalid_request' },
});

const degradedBody = { error: 'Service temporarily degraded. Please retry.', code: 'service_degraded' };

const degraded: ErrorAnswer = {
  status: 503,
  body: degradedBody,
  headers: soon,
};

const internal: ErrorAnswer = {
  status: 500,
  body: { error: 'Internal server error', code: 'internal_error' },
};

/** Statuses and bodies for `POST /v1/systemone`. */
export const systemOneErrors: ErrorTable = {
  ...unexpectedErrors(
    ...errorCodes.runs,
    ...errorCodes.uploads,
    ...errorCodes.agentField,
    ...errorCodes.agents,
    ...errorCodes.skillField,
    ...errorCodes.skills,
    'response_not_found',
  ),
  ...commonErrors,
  malformed_json: () => ({ status: 400, body: { error: 'Malformed JSON in request body' } }),
  model_not_found: () => ({ status: 400, body: { error: 'Unsupported model' } }),
  model_kind_unsupported: () => ({ status: 400, body: { error: 'Unsupported model type' } }),
  route_forbidden: (details) => ({
    status: 403,
    body: { error: refusalWords.route_forbidden(details), code: 'route_forbidden' },
  }),
  model_forbidden: (details) => ({
    status: 403,
    body: { error: refusalWords.model_forbidden(details), code: 'model_forbidden' },
  }),
  input_unsupported: ({ problem }) => ({
    status: 400,
    body: { error: problem, code: 'input_unsupported' },
  }),
  wrong_location: () => ({
    status: 403,
    body: {
      error: 'Decisions are served from the EU endpoint only',
      code: 'endpoint_not_available_in_location',
    },
  }),
  body_too_large: () => ({
    status: 413,
    body: { error: 'Request body too large', code: 'body_too_large' },
  }),
  body_too_slow: () => ({
    ...commonErrors.body_too_slow(),
    body: { error: slowBodyMessage, code: 'body_too_slow' },
  }),
  nested_too_deep: ({ limitLevels }) =>
    invalidRequest(`The request body is nested more than ${limitLevels} levels deep.`),
  invalid_request: ({ issues }) => {
    const rest = issues.length - maxIssues;
    const lines = issues.slice(0, maxIssues).map(describeIssue);
    return invalidRequest([...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; '));
  },
  context_length_exceeded: ({ limitTokens }) => ({
    status: 422,
    body: {
      error: `The request does not fit the context of ${limitTokens} tokens.`,
      code: 'context_length_exceeded',
    },
  }),
  // The request passed our validation, so an upstream that refuses it would refuse a retry as well.
  upstream_refused: () => internal,
  unreadable_answer: () => internal,
  upstream_misconfigured: () => ({
    ...degraded,
    body: { ...degradedBody, reason: 'The model is not set up: its provider refuses this service.' },
  }),
  store_unavailable: () => degraded,
  at_capacity: () => degraded,
  stopping: () => degraded,
  timed_out: () => ({ status: 504, body: { error: 'Request timed out', code: 'timeout' } }),
};
