import {
  envelopeSchema,
  jsonAnswer,
  jsonContent,
  mayHave,
  named,
  type RouteDescription,
  refusalSchema,
  skillAnswer,
  textContent,
} from '@errand/platform';
import * as v from 'valibot';
import { responseEvent } from './openapi/events.ts';
import * as example from './openapi/examples.ts';
import { responseRequest } from './openapi/request.ts';
import { response } from './openapi/response.ts';

const envelope = (message: string, code: string, param: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param, code },
});

const refusalOrEnvelope = v.union([refusalSchema, envelopeSchema]);

export const createResponse: RouteDescription = {
  summary: 'Create a response, streamed or in one piece',
  description: [
    "Takes OpenAI's Responses request. A field whose answer would be another if it were ignored is a 400 that names it.",
    'With `stream: true`, server-sent events that are named by their `type`. The last has the whole response with `usage` and `impact`; an answer that broke off ends with `response.failed`.',
  ].join('\n\n'),
  tag: 'responses',
  body: jsonContent(named('ResponseRequest', responseRequest), example.request),
  // The headers of a skill stand on errors, too, that come after it was resolved.
  responses: mayHave(skillAnswer, {
    200: {
      description: 'The response, or with `stream: true` its events.',
      content: {
        'application/json': { schema: response, example: example.answer },
        'text/event-stream': { schema: responseEvent, example: example.event },
      },
    },
    400: jsonAnswer(
      'The request, its model or its skill is not valid.',
      envelopeSchema,
      envelope('conversation: is not kept here', 'invalid_request', 'conversation'),
    ),
    402: {
      ...jsonAnswer(
        'No credits are left, or a budget is spent; `error` is an object where it is a budget.',
        refusalOrEnvelope,
        { error: 'No remaining credits (EUR)' },
      ),
      optionalHeaders: ['Retry-After'],
    },
    403: jsonAnswer(
      'The key may not be used for this, or not with this model.',
      envelopeSchema,
      envelope('This key may not use the model "writer".', 'model_forbidden', 'model'),
    ),
    413: jsonAnswer(
      'The body is too large.',
      envelopeSchema,
      envelope('The request body is larger than 6291456 bytes.', 'body_too_large'),
    ),
    503: {
      description:
        'No capacity, or the server is stopping, in which case `error` is an object. Text where a skill is named and skills are not switched on.',
      content: {
        ...jsonContent(refusalOrEnvelope, { error: 'Service temporarily at capacity. Please retry.' }),
        ...textContent('Skills are not enabled'),
      },
      optionalHeaders: ['Retry-After'],
    },
    504: {
      ...jsonAnswer('The model did not answer in time; streams have no such limit.', envelopeSchema, {
        error: {
          message: 'The model did not answer in time. Streaming has no such limit.',
          type: 'server_error',
          param: null,
          code: 'timeout',
        },
      }),
      headers: ['X-Should-Retry'],
    },
  }),
};
