import type { ErrorTable } from '@errand/platform';
import { expect, test } from 'vitest';
import { messagesErrors, shapeError } from './errors.ts';

type Code = keyof ErrorTable;
const amounts = { available: '0', needed: '1' };
const model = { model: 'writer' };

/** Of each refusal the status, and the type by which clients of the protocol decide what to do. */
const rows: [Code, unknown, number, string][] = [
  ['malformed_json', undefined, 400, 'invalid_request_error'],
  ['invalid_request', { issues: [{ field: 'model', problem: 'is needed' }] }, 400, 'invalid_request_error'],
  ['nested_too_deep', { limitLevels: 9 }, 400, 'invalid_request_error'],
  ['model_not_found', model, 400, 'invalid_request_error'],
  ['model_kind_unsupported', model, 400, 'invalid_request_error'],
  ['context_length_exceeded', { limitTokens: 1, moreThanTokens: 2 }, 400, 'invalid_request_error'],
  ['upstream_refused', { message: 'No.', code: null, param: null }, 400, 'invalid_request_error'],
  ['unauthorized', undefined, 401, 'authentication_error'],
  ['no_credits', amounts, 402, 'billing_error'],
  ['budget_spent', { amount: '5', period: 'day' }, 402, 'billing_error'],
  ['ceiling_spent', { amount: '5' }, 402, 'billing_error'],
  ['route_forbidden', { route: 'chat' }, 403, 'permission_error'],
  ['model_forbidden', model, 403, 'permission_error'],
  ['not_found', undefined, 404, 'not_found_error'],
  ['body_too_slow', undefined, 408, 'timeout_error'],
  ['body_too_large', { limitBytes: 1 }, 413, 'request_too_large'],
  ['rate_limited', { retryAfterSeconds: 3 }, 429, 'rate_limit_error'],
  ['upstream_misconfigured', undefined, 503, 'api_error'],
  ['skills_disabled', undefined, 503, 'api_error'],
  ['at_capacity', undefined, 503, 'overloaded_error'],
  ['unreadable_answer', undefined, 503, 'overloaded_error'],
  ['store_unavailable', undefined, 503, 'overloaded_error'],
  ['stopping', undefined, 503, 'overloaded_error'],
  ['timed_out', undefined, 504, 'timeout_error'],
];

test.each(rows)('the refusal %s has its status, and its type', (code, details, status, type) => {
  const write = messagesErrors[code] as (details: unknown) => ReturnType<typeof shapeError>;
  const answer = write(details);
  expect(shapeError(answer, 'req_1')).toMatchObject({
    status,
    body: { type: 'error', error: { type, message: expect.stringMatching(/./) }, request_id: 'req_1' },
  });
});
