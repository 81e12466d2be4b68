import {
  answerOf,
  DomainError,
  type ErrorTable,
  envelopeSchema,
  fieldIssue,
  jsonAnswer,
  jsonContent,
  limits,
  named,
  type ResponseDescription,
  type RouteDescription,
  refusalSchema,
  unpaidEnvelopeSchema,
  unpaidSchema,
} from '@errand/platform';
import type * as v from 'valibot';
import { openAiErrors } from './dialects/openai/errors.ts';
import { openAiBody } from './dialects/openai/request-schema.ts';
import { openAiAnswer } from './dialects/openai/write-answer.ts';
import { systemOneErrors } from './dialects/system-one/errors.ts';
import { decisionBody } from './dialects/system-one/read-request.ts';
import { decisionAnswer } from './dialects/system-one/write-answer.ts';

/** What each status means, and a refusal that has it: its words and codes are those of each dialect. */
const refused: Record<number, [description: string, refusal: DomainError]> = {
  400: [
    'There is no such model, it takes no decisions, it cannot read the images, or the body is no JSON.',
    new DomainError('model_not_found', { model: 'nobody' }),
  ],
  402: [
    "No credits are left, or the budget of the key or its organisation's ceiling is spent.",
    new DomainError('no_credits', { available: '0', needed: '0.0003' }),
  ],
  403: [
    'Asked of a deployment outside the EU, or not allowed to the key.',
    new DomainError('wrong_location'),
  ],
  408: ['The body did not arrive in time.', new DomainError('body_too_slow')],
  413: [
    'The body is too large.',
    new DomainError('body_too_large', { limitBytes: limits.decisionBodyBytes }),
  ],
  422: ['The body is not valid, or does not fit the context.', fieldIssue('questions', 'is required')],
  500: ['An internal failure; a retry meets it again.', new DomainError('unreadable_answer')],
  503: ['The model is at capacity; retry.', new DomainError('at_capacity')],
  504: ['Not answered within the time limit.', new DomainError('timed_out')],
};

const headersOf = (status: string): Pick<ResponseDescription, 'headers' | 'optionalHeaders'> => {
  if (status === '402') return { optionalHeaders: ['Retry-After'] };
  if (status === '401') return { headers: ['WWW-Authenticate'] };
  return ['429', '503'].includes(status) ? { headers: ['Retry-After'] } : {};
};

const refusals = (
  all: typeof refused,
  errors: ErrorTable,
  { schema, unpaid }: { schema: v.GenericSchema; unpaid: v.GenericSchema },
): Record<number, ResponseDescription> =>
  Object.fromEntries(
    Object.entries(all).map(([status, [description, refusal]]) => [
      status,
      {
        ...jsonAnswer(description, status === '402' ? unpaid : schema, answerOf(errors, refusal).body),
        ...headersOf(status),
      },
    ]),
  );

const impact = {
  version: '20261121',
  inferenceTime: { total: 2000, unit: 'ms' },
  energy: { total: 105000, unit: 'Wms' },
  emissions: { total: 7379, unit: 'ugCO2e' },
};

export const askSystemOne: RouteDescription = {
  summary: 'Ask questions about a case',
  description: `A probability for every possible answer to 1 to ${limits.decisionQuestions} questions about a case, all read in one pass of the model.`,
  tag: 'decisions',
  everyAnswer: ['X-TypeSafe-Request-Id'],
  body: jsonContent(named('DecisionRequest', decisionBody), {
    model: 'judge',
    state: 'The server has been down for an hour.',
    questions: { urgent: { type: 'noul', instructions: 'Is this urgent?' } },
  }),
  responses: {
    200: jsonAnswer('The answers, in the order of the questions.', named('Decision', decisionAnswer), {
      model: 'judge',
      answers: { urgent: { type: 'noul', noul: 0.93 } },
      usage: { input_tokens: 120, output_tokens: 0 },
      impact,
    }),
    ...refusals(refused, systemOneErrors, { schema: refusalSchema, unpaid: unpaidSchema }),
  },
};

/** Refusals that System One's protocol has as text. */
const alsoRefused: typeof refused = {
  ...refused,
  401: ['The key is missing, unknown, revoked or expired.', new DomainError('unauthorized')],
  429: [
    'The requests of this window are used up.',
    new DomainError('rate_limited', { retryAfterSeconds: 300 }),
  ],
};

export const createDecision: RouteDescription = {
  summary: "Ask questions about an input, in OpenAI's words",
  description: `A probability for every possible answer to 1 to ${limits.openAiQuestions} questions. Those that one pass of the model cannot take are read in several.`,
  tag: 'decisions',
  body: jsonContent(named('OpenAiDecisionRequest', openAiBody), {
    model: 'judge',
    input: 'The server has been down for an hour.',
    questions: [{ type: 'predicate', name: 'urgent', instructions: 'Is this urgent?' }],
  }),
  responses: {
    200: jsonAnswer('The answers, in the order of the questions.', named('OpenAiDecision', openAiAnswer), {
      model: 'judge',
      answers: [{ type: 'predicate', name: 'urgent', probability: 0.93 }],
      usage: {
        input_tokens: 120,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 0,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 120,
      },
      impact,
    }),
    ...refusals(alsoRefused, openAiErrors, { schema: envelopeSchema, unpaid: unpaidEnvelopeSchema }),
  },
};
