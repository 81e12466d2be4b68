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
import { deletedResponse, inputItems, itemsQuery, path, streamQuery } from './openapi/kept.ts';
import { responseRequest } from './openapi/request.ts';
import { response } from './openapi/response.ts';

const envelope = (message: string, code: string | null, param: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param, code },
});

const refusalOrEnvelope = v.union([refusalSchema, envelopeSchema]);

export const createResponse: RouteDescription = {
  summary: 'Create a response, streamed or in one piece',
  description: [
    "Takes OpenAI's Responses request. A field whose answer would be another if it were ignored is a 400 that names it.",
    'With `stream: true`, server-sent events that are named by their `type`. The last has the whole response with `usage` and `impact`; an answer that broke off ends with `response.failed`.',
    'Unless `store` is false, it is kept for 24 hours, for the key that asked alone.',
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
    404: jsonAnswer(
      'What the request follows or refers to is not kept here for this key.',
      envelopeSchema,
      envelope(
        `Previous response with id '${example.answer.id}' not found.`,
        'previous_response_not_found',
        'previous_response_id',
      ),
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

const missing = {
  404: jsonAnswer(
    "There is no such response, it is no longer kept, or it is another key's.",
    envelopeSchema,
    envelope(`Response with id '${example.answer.id}' not found.`, null),
  ),
};

const forbidden = {
  403: jsonAnswer(
    'The key may not be used for chat.',
    envelopeSchema,
    envelope('This key may not be used for chat.', 'route_forbidden'),
  ),
};

const wrong = (description: string, message: string, param: string | null = null) => ({
  400: jsonAnswer(description, envelopeSchema, envelope(message, 'invalid_request', param)),
});

export const getResponse: RouteDescription = {
  summary: 'Read a kept response',
  description: 'The response as it was told.',
  tag: 'responses',
  path,
  query: streamQuery,
  responses: {
    200: jsonAnswer('The response.', response, example.answer),
    ...wrong(
      'A wrong parameter.',
      'stream: must be false: the responses of runs alone can be streamed again',
      'stream',
    ),
    ...forbidden,
    ...missing,
  },
};

export const deleteResponse: RouteDescription = {
  summary: 'Delete a kept response',
  description:
    'It can be neither read nor followed any more. Responses that follow it already still know what it said.',
  tag: 'responses',
  path,
  responses: {
    200: jsonAnswer('The response is gone.', deletedResponse, example.deleted),
    ...forbidden,
    ...missing,
  },
};

export const listInputItems: RouteDescription = {
  summary: 'List the input of a kept response',
  description: 'The items of its own input, without what came before it.',
  tag: 'responses',
  path,
  query: itemsQuery,
  responses: {
    200: jsonAnswer('A page; `has_more` is true while more follow.', inputItems, example.inputItems),
    ...wrong('A wrong parameter.', 'limit: must be at most 100', 'limit'),
    ...forbidden,
    ...missing,
  },
};

export const cancelResponse: RouteDescription = {
  summary: 'Cancel a response',
  description: 'Is for responses that are worked on in the background. Those of chat models are not.',
  tag: 'responses',
  path,
  responses: {
    ...wrong(
      'The response is not worked on in the background.',
      'Only responses with background: true can be cancelled.',
    ),
    ...forbidden,
    ...missing,
  },
};
