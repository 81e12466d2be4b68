import {
  jsonAnswer,
  jsonContent,
  named,
  noCredits,
  type ResponseDescription,
  type RouteDescription,
  refusalSchema,
} from '@errand/platform';
import type * as v from 'valibot';
import { openAiAnswer, openAiBody, openAiError } from './dialects/openai/schema.ts';
import { decisionAnswer, decisionBody } from './dialects/system-one/schema.ts';

const impact = {
  version: '20261121',
  inferenceTime: { total: 2000, unit: 'ms' },
  energy: { total: 105000, unit: 'Wms' },
  emissions: { total: 7379, unit: 'ugCO2e' },
};

/** What is refused in either dialect: what happened, the words and, if there is one, the code. */
const refused: [status: number, description: string, message: string, code?: string][] = [
  [400, 'The model takes no such decision, or the body is no JSON.', 'Unsupported model'],
  [
    403,
    'Asked of a deployment outside the EU, or not allowed to the key.',
    'Decisions are served from the EU endpoint only',
    'endpoint_not_available_in_location',
  ],
  [413, 'The body is too large.', 'Request body too large', 'body_too_large'],
  [422, 'The body is not valid, or does not fit the context.', 'questions: is required', 'invalid_request'],
  [500, 'An internal failure; a retry meets it again.', 'Internal server error', 'internal_error'],
  [
    503,
    'The model is at capacity; retry.',
    'Service temporarily degraded. Please retry.',
    'service_degraded',
  ],
  [504, 'Not answered within the time limit.', 'Request timed out', 'timeout'],
];

type Refusal = (status: number, message: string, code: string | undefined) => unknown;

const refusals = (schema: v.GenericSchema, body: Refusal): Record<number, ResponseDescription> =>
  Object.fromEntries(
    refused.map(([status, description, message, code]) => [
      status,
      {
        ...jsonAnswer(description, schema, body(status, message, code)),
        ...(status === 503 && { headers: ['Retry-After'] as const }),
      },
    ]),
  );

export const decide: RouteDescription = {
  summary: 'Ask questions about a case',
  description:
    'A probability for every possible answer to 1 to 32 questions about a case, all read in one pass of the model.',
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
    ...noCredits,
    ...refusals(refusalSchema, (_, error, code) => ({ error, ...(code !== undefined && { code }) })),
  },
};

const envelope = named('DecisionError', openAiError);

const envelopeOf: Refusal = (status, message, code = 'model_not_found') => ({
  error: {
    message,
    type: status < 500 ? 'invalid_request_error' : 'server_error',
    param: null,
    code,
  },
});

export const createDecision: RouteDescription = {
  summary: "Ask questions about an input, in OpenAI's words",
  description:
    'A probability for every possible answer to 1 to 400 questions about an input. More questions than a pass of the model takes are read in several.',
  tag: 'decisions',
  body: jsonContent(named('DecisionCreateRequest', openAiBody), {
    model: 'judge',
    input: 'The server has been down for an hour.',
    questions: [{ type: 'predicate', name: 'urgent', instructions: 'Is this urgent?' }],
  }),
  responses: {
    200: jsonAnswer('The answers, in the order of the questions.', named('DecisionList', openAiAnswer), {
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
    401: jsonAnswer(
      'The key is missing, unknown, revoked or expired.',
      envelope,
      envelopeOf(401, 'Unauthorized', 'unauthorized'),
    ),
    402: {
      ...jsonAnswer(
        "No credits are left, or the budget of the key or its organisation's ceiling is spent.",
        envelope,
        envelopeOf(402, 'No remaining credits (EUR)', 'no_credits'),
      ),
      optionalHeaders: ['Retry-After'],
    },
    429: {
      ...jsonAnswer(
        'The requests of this window are used up.',
        envelope,
        envelopeOf(429, 'Too many requests, please try again later.', 'rate_limited'),
      ),
      headers: ['Retry-After'],
    },
    ...refusals(envelope, envelopeOf),
  },
};
