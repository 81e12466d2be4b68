import {
  jsonAnswer,
  jsonContent,
  limits,
  mayHave,
  named,
  type ResponseDescription,
  type RouteDescription,
  skillAnswer,
  slowBodyMessage,
  stoppingMessage,
  textParameter,
} from '@errand/platform';
import { changedSkill, skillIfMatch } from '@errand/skills';
import { messagesError } from './openapi/error.ts';
import { messageEvent } from './openapi/events.ts';
import * as example from './openapi/examples.ts';
import { message, tokenCount } from './openapi/message.ts';
import { countRequest, messageRequest } from './request/schema.ts';

const refusal = (description: string, type: string, said: string, code?: string) =>
  jsonAnswer(description, messagesError, {
    type: 'error',
    error: { type, message: said, code },
    request_id: example.requestId,
  });

const soon = { optionalHeaders: ['Retry-After'] } as const;

/** Every refusal has the protocol's envelope, also those that other routes have in words of their own. */
const refusals: Record<number, ResponseDescription> = {
  400: refusal(
    'The request, its model or its skill is not valid, or its text is longer than its model reads.',
    'invalid_request_error',
    'max_tokens: must be at least 1',
    'invalid_request',
  ),
  401: {
    ...refusal('The key is missing, unknown, revoked or expired.', 'authentication_error', 'Unauthorized'),
    headers: ['WWW-Authenticate'],
  },
  403: refusal(
    'The key may not be used for chat, or not with this model.',
    'permission_error',
    'This key may not use the model "writer".',
    'model_forbidden',
  ),
  408: refusal('The body did not arrive in time.', 'timeout_error', slowBodyMessage, 'body_too_slow'),
  412: refusal(
    changedSkill.description,
    'invalid_request_error',
    changedSkill.body.error.message,
    changedSkill.body.error.code,
  ),
  413: refusal(
    'The body is too large.',
    'request_too_large',
    `The request body is larger than ${limits.jsonBodyBytes} bytes.`,
    'body_too_large',
  ),
  429: {
    ...refusal(
      'The requests of this window are used up.',
      'rate_limit_error',
      'Too many requests, please try again later.',
    ),
    headers: ['Retry-After'],
  },
  500: refusal('An unexpected failure; a retry may meet it again.', 'api_error', 'Internal server error'),
  503: {
    ...refusal(
      'No capacity, a store fails, skills are not switched on, or the server is stopping.',
      'overloaded_error',
      stoppingMessage,
      'stopping',
    ),
    optionalHeaders: ['Retry-After', 'X-Should-Retry'],
  },
};

const unpaid: ResponseDescription = {
  ...jsonAnswer('No credits are left, or a budget is spent.', messagesError, {
    type: 'error',
    error: {
      type: 'billing_error',
      message: 'No remaining credits (EUR)',
      available: '0',
      needed: '0.0068',
    },
    request_id: example.requestId,
  }),
  ...soon,
};

const tooLate: ResponseDescription = {
  ...refusal(
    'The model did not answer in time; streams have no such limit.',
    'timeout_error',
    'The model did not answer in time. Streaming has no such limit.',
    'timeout',
  ),
  headers: ['X-Should-Retry'],
};

const headers = {
  ...skillIfMatch,
  'anthropic-version': textParameter(
    'The version of the protocol, for providers that speak it: `2023-06-01` if absent.',
    '2023-06-01',
  ),
  'anthropic-beta': textParameter(
    'Betas, for providers that speak the protocol. Others are told nothing of them.',
    'interleaved-thinking-2025-05-14',
    limits.anthropicBetaCharacters,
  ),
};

export const createMessage: RouteDescription = {
  summary: 'Create a message, streamed or in one piece',
  description: [
    "Takes the request of Anthropic's Messages for every chat and vision model. A key may also be sent as `x-api-key`.",
    'A model whose provider speaks the protocol is sent the request as it came, apart from fields that would change its price or its account. Any other model is asked for a chat completion: fields that a completion cannot express are left out, and tools that a provider would run are a 400 that names them.',
    'With `stream: true`, server-sent events that are named by their `type`. `message_delta` has `usage` and `impact`; an answer that broke off ends with `error` in place of `message_stop`.',
  ].join('\n\n'),
  tag: 'messages',
  body: jsonContent(named('MessageRequest', messageRequest), example.request),
  headers,
  everyAnswer: ['Request-Id'],
  // The headers of a skill stand on errors, too, that come after it was resolved.
  responses: mayHave(skillAnswer, {
    200: {
      description: 'The message, or with `stream: true` its events.',
      content: {
        'application/json': { schema: message, example: example.answer },
        'text/event-stream': { schema: messageEvent, example: example.event },
      },
    },
    ...refusals,
    402: unpaid,
    504: tooLate,
  }),
};

export const countMessageTokens: RouteDescription = {
  summary: 'Count the tokens of a message',
  description:
    'Takes the request of a message; `max_tokens` changes nothing. A provider that speaks the protocol is asked, else the tokens are counted here, by the o200k encoding. It costs nothing, and counts in the rate.',
  tag: 'messages',
  body: jsonContent(named('MessageCountRequest', countRequest), example.countRequest),
  headers,
  everyAnswer: ['Request-Id'],
  responses: mayHave(skillAnswer, {
    200: jsonAnswer('The tokens.', tokenCount, { input_tokens: 24 }),
    ...refusals,
    504: tooLate,
  }),
};
