import type { Context, ErrorHandler } from 'hono';
import { isAwsTrouble } from '../aws/trouble.ts';
import { DomainError, type ErrorCode, type ErrorDetails, errorCodes } from '../errors.ts';
import { describeError, type Log } from '../log.ts';
import type { KeyEnd } from '../principal.ts';
import { describeIssue } from './body.ts';
import type { HttpEnv } from './env.ts';
import type { ErrorAnswer } from './envelope.ts';

export type ErrorTable = { [C in ErrorCode]: (details: ErrorDetails[C]) => ErrorAnswer };

export const internalError: ErrorAnswer = { status: 500, body: { error: 'Internal server error' } };

/** When to retry a request that a store, the queue or a model could not serve now. */
export const soon = { 'Retry-After': '5' } as const;

export const stoppingMessage = 'This server is stopping. Please retry.';

export const slowBodyMessage = 'The request body did not arrive in time. Please retry.';

/** The words of refusals by a key's limits, an organisation's ceiling and the catalogue. Each family gives them its own form. */
export const refusalWords = {
  route_forbidden: ({ route }: ErrorDetails['route_forbidden']) => `This key may not be used for ${route}.`,
  model_forbidden: ({ model }: ErrorDetails['model_forbidden']) =>
    `This key may not use the model ${shown(model)}.`,
  model_not_found: ({ model, nearest }: ErrorDetails['model_not_found']) =>
    [
      `There is no model ${shown(model)}.`,
      ...(nearest === undefined ? [] : [`The nearest that this key may use is ${shown(nearest)}.`]),
      'GET /v1/models lists all models.',
    ].join(' '),
  budget_spent: ({ amount, period }: ErrorDetails['budget_spent']) =>
    `The budget of this key is spent: ${amount} EUR ${period === 'total' ? 'in total' : `per ${period}`}`,
  ceiling_spent: ({ organisationId, amount }: ErrorDetails['ceiling_spent']) =>
    `The ceiling of the organisation${organisationId === undefined ? '' : ` ${organisationId}`} is spent: ${amount} EUR per month`,
};

const shownModelCharacters = 128;
const shown = (model: string): string => JSON.stringify(model.slice(0, shownModelCharacters));

const retryAfter = (seconds: number | undefined) =>
  seconds === undefined ? {} : { headers: { 'Retry-After': String(seconds) } };

const keyEnds: Record<KeyEnd, string> = {
  revoked: 'This key was revoked.',
  frozen: 'The account of this key is frozen.',
  expired: 'This key has ended: it was made to expire.',
};

/** Why a key is refused. Without an end it says the same of a missing key and of one that was never there. */
const challengeOf = (details: ErrorDetails['unauthorized']) => ({
  'WWW-Authenticate': details?.end
    ? `Bearer error="invalid_token", error_description="${keyEnds[details.end]}"`
    : 'Bearer',
});

/** Answers that are the same in most families. A family may override them. */
export const commonErrors = {
  unauthorized: (details) => ({ status: 401, body: 'Unauthorized', headers: challengeOf(details) }),
  rate_limited: ({ retryAfterSeconds }) => ({
    status: 429,
    body: 'Too many requests, please try again later.',
    headers: { 'Retry-After': String(retryAfterSeconds) },
  }),
  no_credits: (amounts) => ({ status: 402, body: { error: 'No remaining credits (EUR)', ...amounts } }),
  budget_spent: (details) => ({
    status: 402,
    body: { error: refusalWords.budget_spent(details), code: 'budget_spent' },
    ...retryAfter(details.retryAfterSeconds),
  }),
  ceiling_spent: (details) => ({
    status: 402,
    body: { error: refusalWords.ceiling_spent(details), code: 'ceiling_spent' },
    ...retryAfter(details.retryAfterSeconds),
  }),
  route_forbidden: (details) => ({ status: 403, body: refusalWords.route_forbidden(details) }),
  model_forbidden: (details) => ({ status: 403, body: refusalWords.model_forbidden(details) }),
  operator_only: () => ({
    status: 403,
    body: { error: 'Only a key that is marked as operator may read the usage of its organisation' },
  }),
  not_found: () => ({ status: 404, body: { error: 'Not found' } }),
  malformed_json: () => ({ status: 400, body: 'Malformed JSON in request body' }),
  body_too_large: ({ limitBytes }) => ({
    status: 413,
    body: `The request body is larger than ${limitBytes} bytes.`,
  }),
  body_too_slow: () => ({ status: 408, body: slowBodyMessage, headers: { Connection: 'close' } }),
  nested_too_deep: ({ limitLevels }) => ({
    status: 400,
    body: `The request body is nested more than ${limitLevels} levels deep.`,
  }),
  precondition_failed: () => ({ status: 412, body: 'The resource has changed since the given ETag.' }),
  skills_disabled: () => ({ status: 503, body: 'Skills are not enabled' }),
  store_unavailable: () => ({
    status: 503,
    body: { error: 'Service temporarily at capacity. Please retry.' },
    headers: soon,
  }),
  stopping: () => ({ status: 503, body: { error: stoppingMessage }, headers: soon }),
} satisfies Partial<ErrorTable>;

/** Validation failures as plain text, one line for each. */
export const plainIssues = {
  invalid_request: ({ issues }) => ({ status: 400, body: issues.map(describeIssue).join('\n') }),
} satisfies Partial<ErrorTable>;

/** Answers a bare 500 to codes that cannot reach a family's routes. If such a code does, that is a bug. */
export function unexpectedErrors<C extends ErrorCode>(...codes: C[]): Pick<ErrorTable, C> {
  const table: Partial<Record<ErrorCode, () => ErrorAnswer>> = {};
  for (const code of codes) table[code] = () => internalError;
  return table as Pick<ErrorTable, C>;
}

/** Answers of routes that have no refusals of their own. */
export const plainErrors: ErrorTable = {
  ...unexpectedErrors(
    ...errorCodes.runs,
    ...errorCodes.uploads,
    ...errorCodes.agentField,
    ...errorCodes.agents,
    ...errorCodes.skillField,
    ...errorCodes.skills,
    ...errorCodes.models,
  ),
  ...commonErrors,
  ...plainIssues,
};

export function answerOf(table: ErrorTable, error: DomainError): ErrorAnswer {
  const render = table[error.code] as (details: unknown) => ErrorAnswer;
  return render(error.details);
}

/**
 * The `onError` of a family's Hono app. Answers refusals by the table, logs any other error, and answers
 * `store_unavailable` to failures of AWS and `unexpected` to what is left.
 */
export function errorHandler<E extends HttpEnv>(
  log: Log,
  table: ErrorTable,
  unexpected: ErrorAnswer = internalError,
): ErrorHandler<E> {
  return (error, c) => {
    const send = (answer: ErrorAnswer) => sendError(c, inShape(c, answer));
    if (error instanceof DomainError) return send(answerOf(table, error));
    if (hasLeft(c)) {
      log.info('client left', { requestId: c.get('requestId'), path: c.req.routePath });
      return send(unexpected);
    }
    const answer = isAwsTrouble(error) ? answerOf(table, new DomainError('store_unavailable')) : unexpected;
    // Middleware that waits for two reads of a broken store fails twice.
    if (!c.get('failureLogged'))
      log.error('request failed', {
        requestId: c.get('requestId'),
        path: c.req.routePath,
        status: answer.status,
        ...describeError(error),
      });
    c.set('failureLogged', true);
    return send(answer);
  };
}

/** Whether the client's connection is gone. The error comes from that, and nobody reads the answer. */
function hasLeft(c: { env: HttpEnv['Bindings'] }): boolean {
  const incoming = c.env?.incoming;
  return incoming?.destroyed === true && !incoming.complete;
}

/** The answer in the envelope of the request's paths. */
export function inShape(c: Context, answer: ErrorAnswer): ErrorAnswer {
  const { requestId, shape } = c.var as HttpEnv['Variables'];
  return shape?.(answer, requestId) ?? answer;
}

export function sendError(c: Context, { status, body, headers }: ErrorAnswer): Response {
  for (const [name, value] of Object.entries(headers ?? {})) c.header(name, value);
  return typeof body === 'string' ? c.text(body, status) : c.json(body, status);
}
