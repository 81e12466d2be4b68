import {
  commonErrors,
  jsonAnswer,
  jsonContent,
  limits,
  named,
  type ResponseDescription,
  type RouteDescription,
  refusalSchema,
  requestError,
  serverError,
} from '@errand/platform';
import { openAiAnswer, openAiBody, openAiError } from './dialects/openai/schema.ts';
import { decisionAnswer, decisionBody } from './dialects/system-one/schema.ts';

/** What each status means, and a refusal as System One's words and codes have it. */
const refused: Record<number, [description: string, error: string, code: string]> = {
  400: ['The model takes no decisions, or the body is no JSON.', 'Unsupported model', 'model_not_found'],
  402: [
    "No credits are left, or the budget of the key or its organisation's ceiling is spent.",
    commonErrors.no_credits().body.error,
    'no_credits',
  ],
  403: [
    'Asked of a deployment outside the EU, or not allowed to the key.',
    'Decisions are served from the EU endpoint only',
    'endpoint_not_available_in_location',
  ],
  413: ['The body is too large.', 'Request body too large', 'body_too_large'],
  422: ['The body is not valid, or does not fit the context.', 'questions: is required', 'invalid_request'],
  500: ['An internal failure; a retry meets it again.', 'Internal server error', 'internal_error'],
  503: [
    'The model is at capacity; retry.',
    'Service temporarily degraded. Please retry.',
    'service_degraded',
  ],
  504: ['Not answered within the time limit.', 'Request timed out', 'timeout'],
};

const headersOf = (status: string): Pick<ResponseDescription, 'headers' | 'optionalHeaders'> => {
  if (status === '402') return { optionalHeaders: ['Retry-After'] };
  return ['429', '503'].includes(status) ? { headers: ['Retry-After'] } : {};
};

const refusals = (
  all: typeof refused,
  answer: (description: string, error: string, code: string, status: number) => ResponseDescription,
): Record<number, ResponseDescription> =>
  Object.fromEntries(
    Object.entries(all).map(([status, [description, error, code]]) => [
      status,
      { ...answer(description, error, code, Number(status)), ...headersOf(status) },
    ]),
  );

const impact = {
  version: '20261121',
  inferenceTime: { total: 2000, unit: 'ms' },
  energy: { total: 105000, unit: 'Wms' },
  emissions: { total: 7379, unit: 'ugCO2e' },
};

export const decide: RouteDescription = {
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
    ...refusals(refused, (description, error, code, status) =>
      jsonAnswer(description, refusalSchema, { error, ...(status > 402 && { code }) }),
    ),
  },
};

/** Refusals that System One's protocol has as text. */
const alsoRefused: typeof refused = {
  ...refused,
  401: ['The key is missing, unknown, revoked or expired.', 'Unauthorized', 'unauthorized'],
  429: [
    'The requests of this window are used up.',
    'Too many requests, please try again later.',
    'rate_limited',
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
    ...refusals(alsoRefused, (description, error, code, status) =>
      jsonAnswer(
        description,
        named('OpenAiError', openAiError),
        status < 500 ? requestError(error, code) : serverError(error, code),
      ),
    ),
  },
};
