import {
  jsonAnswer,
  jsonContent,
  named,
  noCredits,
  type ResponseDescription,
  type RouteDescription,
  refusalSchema,
} from '@errand/platform';
import { decisionAnswer, decisionBody } from './schema.ts';

const refusal = (description: string, error: string, code?: string): ResponseDescription =>
  jsonAnswer(description, refusalSchema, { error, ...(code !== undefined && { code }) });

const responses: Record<number, ResponseDescription> = {
  200: jsonAnswer('The answers, in the order of the questions.', named('Decision', decisionAnswer), {
    model: 'judge',
    answers: { urgent: { type: 'noul', noul: 0.93 } },
    usage: { input_tokens: 120, output_tokens: 0 },
    impact: {
      version: '20261121',
      inferenceTime: { total: 2000, unit: 'ms' },
      energy: { total: 105000, unit: 'Wms' },
      emissions: { total: 7379, unit: 'ugCO2e' },
    },
  }),
  400: refusal('The model takes no decisions, or the body is no JSON.', 'Unsupported model'),
  ...noCredits,
  403: refusal(
    'Asked of a deployment outside the EU, or not allowed to the key.',
    'Decisions are served from the EU endpoint only',
    'endpoint_not_available_in_location',
  ),
  413: refusal('The body is too large.', 'Request body too large', 'body_too_large'),
  422: refusal(
    'The body is not valid, or does not fit the context.',
    'questions: is required',
    'invalid_request',
  ),
  500: refusal('An internal failure; a retry meets it again.', 'Internal server error', 'internal_error'),
  503: {
    ...refusal(
      'The model is at capacity; retry.',
      'Service temporarily degraded. Please retry.',
      'service_degraded',
    ),
    headers: ['Retry-After'],
  },
  504: refusal('Not answered within the time limit.', 'Request timed out', 'timeout'),
};

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
  responses,
};
