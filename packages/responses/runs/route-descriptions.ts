import {
  described,
  envelopeSchema,
  flagField,
  jsonAnswer,
  named,
  notFound,
  numberParameter,
  type RouteDescription,
  routeForbidden,
  textField,
  textParameter,
} from '@errand/platform';
import * as v from 'valibot';
import { responseEvent } from '../openapi/events.ts';
import * as example from '../openapi/examples.ts';
import { response } from '../openapi/response.ts';

const path = { id: textParameter('The id of the response, which is that of its run.', example.runId) };
const missing = notFound('There is no such response of this key.');
const forbidden = routeForbidden('runs');
const refusal = (message: string, code: string, param: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param, code },
});

export const getResponse: RouteDescription = {
  summary: 'Read a response, or its events',
  description: [
    'A run is shown as it is: `GET /v1/agents/runs/{id}` tells the same of it.',
    'With `stream=true`, its events after `starting_after`, then live until the last one. Lines that begin with a colon are comments. A stream may end before the last event: go on with the `sequence_number` that came last.',
  ].join('\n\n'),
  tag: 'responses',
  path,
  query: {
    stream: {
      description: 'Whether the events are asked for.',
      schema: v.optional(v.picklist(['true', 'false']), 'false'),
      example: 'true',
    },
    starting_after: numberParameter('The `sequence_number` of the event to go on after; all without it.', {
      minimum: 0,
    }),
  },
  responses: {
    200: {
      description: 'The response, or its events.',
      content: {
        'application/json': { schema: response, example: example.runAnswer },
        'text/event-stream': { schema: responseEvent, example: example.event },
      },
    },
    400: jsonAnswer(
      'A wrong parameter.',
      envelopeSchema,
      refusal('stream: must be true or false', 'invalid_request', 'stream'),
    ),
    ...missing,
    ...forbidden,
  },
};

export const cancelResponse: RouteDescription = {
  summary: 'Cancel a response',
  description:
    'Its run ends, and what was done is charged. The answer comes when it has ended, or after 55 s. One that has ended stays as it is.',
  tag: 'responses',
  path,
  responses: {
    200: jsonAnswer('The response as it is.', response, { ...example.runAnswer, status: 'cancelled' }),
    ...missing,
    ...forbidden,
  },
};

export const deleteResponse: RouteDescription = {
  summary: 'Delete a response',
  description: 'The run is gone with its events, its files and its `Idempotency-Key`.',
  tag: 'responses',
  path,
  responses: {
    200: jsonAnswer(
      'The response is gone.',
      named(
        'DeletedResponse',
        v.object({
          id: textField('The id that it had.'),
          object: v.literal('response'),
          deleted: described('It is gone.', v.literal(true)),
        }),
      ),
      { id: example.runId, object: 'response', deleted: true },
    ),
    409: jsonAnswer(
      'The run is not finished.',
      envelopeSchema,
      refusal('The run is not finished. Cancel it first.', 'run_not_finished'),
    ),
    ...missing,
    ...forbidden,
  },
};

export const listInputItems: RouteDescription = {
  summary: 'List what a response was asked',
  description: 'A run was asked one message.',
  tag: 'responses',
  path,
  responses: {
    200: jsonAnswer(
      'The items.',
      named(
        'ResponseInputItemList',
        v.object({
          object: v.literal('list'),
          data: described(
            'The items.',
            v.array(v.looseObject({ id: textField('The id of the item.'), type: textField('Its kind.') })),
          ),
          first_id: textField('The id of the first one.'),
          last_id: textField('The id of the last one.'),
          has_more: flagField('Whether more follow.'),
        }),
      ),
      example.inputItems,
    ),
    ...missing,
    ...forbidden,
  },
};
