import { notSetUpMessage } from '@errand/models';
import {
  commonErrors,
  describeIssue,
  type ErrorAnswer,
  type ErrorTable,
  errorCodes,
  refusalWords,
  requestError,
  serverError,
  slowBodyMessage,
  soon,
  stoppingMessage,
  unexpectedErrors,
} from '@errand/platform';
import { skillFieldErrors } from '@errand/skills';

export const capacityMessage = 'Service temporarily at capacity. Please retry.';

const atCapacity: ErrorAnswer = {
  status: 503,
  body: { error: capacityMessage },
  headers: soon,
};

// The OpenAI clients would repeat it twice, and the provider would bill the operator each time.
const tooSlow = { status: 504, headers: { 'x-should-retry': 'false' } } as const;

const shownModelCharacters = 128;
const shown = (model: string): string => JSON.stringify(model.slice(0, shownModelCharacters));

/** Status and body of each refusal of chat completions. */
export const chatErrors: ErrorTable = {
  ...unexpectedErrors(
    ...errorCodes.runs,
    ...errorCodes.uploads,
    ...errorCodes.agentField,
    ...errorCodes.agents,
    ...errorCodes.skills,
    'input_unsupported',
    'wrong_location',
    'response_not_found',
  ),
  ...commonErrors,
  ...skillFieldErrors,
  budget_spent: (details) => ({
    ...commonErrors.budget_spent(details),
    body: requestError(refusalWords.budget_spent(details), 'budget_spent'),
  }),
  ceiling_spent: (details) => ({
    ...commonErrors.ceiling_spent(details),
    body: requestError(refusalWords.ceiling_spent(details), 'ceiling_spent'),
  }),
  route_forbidden: (details) => ({
    status: 403,
    body: requestError(refusalWords.route_forbidden(details), 'route_forbidden'),
  }),
  model_forbidden: (details) => ({
    status: 403,
    body: requestError(refusalWords.model_forbidden(details), 'model_forbidden', 'model'),
  }),
  malformed_json: () => ({
    status: 400,
    body: requestError('The request body is not valid JSON.', 'malformed_json'),
  }),
  body_too_large: ({ limitBytes }) => ({
    status: 413,
    body: requestError(`The request body is larger than ${limitBytes} bytes.`, 'body_too_large'),
  }),
  body_too_slow: () => ({
    ...commonErrors.body_too_slow(),
    body: requestError(slowBodyMessage, 'body_too_slow'),
  }),
  nested_too_deep: ({ limitLevels }) => ({
    status: 400,
    body: requestError(`The request body is nested more than ${limitLevels} levels deep.`, 'nested_too_deep'),
  }),
  invalid_request: ({ issues }) => ({
    status: 400,
    body: requestError(
      issues.map(describeIssue).join('\n'),
      'invalid_request',
      issues.find(({ field }) => field !== '')?.field ?? null,
    ),
  }),
  model_not_found: (details) => ({
    status: 400,
    body: requestError(refusalWords.model_not_found(details), 'model_not_found', 'model'),
  }),
  model_kind_unsupported: ({ model }) => ({
    status: 400,
    body: requestError(
      `Model ${shown(model)} does not take chat completions.`,
      'model_kind_unsupported',
      'model',
    ),
  }),
  context_length_exceeded: ({ limitTokens, moreThanTokens, param = 'messages' }) => ({
    status: 400,
    body: requestError(
      `This model reads at most ${limitTokens} tokens. The request has more than ${moreThanTokens}.`,
      'context_length_exceeded',
      param,
    ),
  }),
  upstream_refused: ({ message, code, param }) => ({
    status: 400,
    body: requestError(message, code, param),
  }),
  // A retry would meet the same, and OpenAI's clients make two.
  upstream_misconfigured: () => ({
    status: 503,
    body: { error: notSetUpMessage },
    headers: { 'x-should-retry': 'false' },
  }),
  at_capacity: () => atCapacity,
  unreadable_answer: () => atCapacity,
  timed_out: () => ({
    ...tooSlow,
    body: serverError('The model did not answer in time. Streaming has no such limit.', 'timeout'),
  }),
  stopping: () => ({ status: 503, body: serverError(stoppingMessage, 'stopping'), headers: soon }),
};

/** Status and body of each refusal of embeddings. */
export const embeddingErrors: ErrorTable = {
  ...chatErrors,
  model_kind_unsupported: ({ model }) => ({
    status: 400,
    body: requestError(`Model ${shown(model)} makes no embeddings.`, 'model_kind_unsupported', 'model'),
  }),
  timed_out: () => ({
    ...tooSlow,
    body: serverError('The model did not answer in time.', 'timeout'),
  }),
};

/**
 * Status and body of each refusal by the routes of models: an unknown model is named in the path there, so no field
 * is at fault.
 */
export const modelErrors: ErrorTable = {
  ...chatErrors,
  model_not_found: (details) => ({ ...chatErrors.model_not_found(details), status: 404 }),
};
