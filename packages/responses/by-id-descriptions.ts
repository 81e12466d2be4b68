import {
  described,
  describePageLimit,
  envelopeSchema,
  flagField,
  jsonAnswer,
  limits,
  named,
  nullishText,
  numberParameter,
  type RouteDescription,
  textField,
  textParameter,
} from '@errand/platform';
import * as v from 'valibot';
import { responseEvent } from './openapi/events.ts';
import * as example from './openapi/examples.ts';
import { response } from './openapi/response.ts';
import { inputItem } from './request/schema.ts';

const path = {
  id: textParameter('The id of a response.', 'resp_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d'),
};

const streamQuery = {
  stream: {
    description: "Whether the events are asked for, which a run's response has.",
    schema: v.optional(v.picklist(['true', 'false']), 'false'),
    example: 'true',
  },
  starting_after: numberParameter('The `sequence_number` of the event to go on after; all without it.', {
    minimum: 0,
  }),
};

const itemsQuery = {
  limit: describePageLimit(),
  order: {
    description: 'Whether the newest item (`desc`) or the oldest one is the first.',
    schema: v.optional(v.picklist(['asc', 'desc']), 'desc'),
    example: 'desc',
  },
  after: textParameter('The `last_id` of the page before.'),
};

const deletedResponse = named(
  'DeletedResponse',
  v.object({
    id: textField('The id of the response.'),
    object: v.literal('response'),
    deleted: flagField('Always true.'),
  }),
);

const inputItems = named(
  'ResponseInputItemList',
  v.object({
    object: v.literal('list'),
    data: described('The items, each with an id.', v.array(inputItem)),
    first_id: nullishText('The id of the first of them; null if there are none.'),
    last_id: nullishText('The id of the last of them; null if there are none.'),
    has_more: flagField('Whether more follow.'),
  }),
);

const refusal = (message: string, code: string | null, param: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param, code },
});

const refusals = {
  403: jsonAnswer(
    'The key may not be used for chat, or for runs.',
    envelopeSchema,
    refusal('This key may not be used for chat.', 'route_forbidden'),
  ),
  404: jsonAnswer(
    "There is no such response, it is no longer kept, or it is another key's.",
    envelopeSchema,
    refusal('There is no such response.', null),
  ),
};

const wrong = (description: string, message: string, param: string | null = null) => ({
  400: jsonAnswer(description, envelopeSchema, refusal(message, 'invalid_request', param)),
});

export const getResponse: RouteDescription = {
  summary: 'Read a response, or the events of a run',
  description: [
    `The response of a chat model is shown as it was told, for ${limits.responseKeptSeconds / 3600} hours unless \`store\` was false. A run is shown as it is: \`GET /v1/agents/runs/{id}\` tells the same of it.`,
    "With `stream=true`, a run's events after `starting_after`, then live until the last one. Lines that begin with a colon are comments. A stream may end before the last event: go on with the `sequence_number` that came last.",
  ].join('\n\n'),
  tag: 'responses',
  path,
  query: streamQuery,
  responses: {
    200: {
      description: 'The response, or its events.',
      content: {
        'application/json': { schema: response, example: example.answer },
        'text/event-stream': { schema: responseEvent, example: example.event },
      },
    },
    ...wrong('A wrong parameter.', 'stream: must be true or false', 'stream'),
    ...refusals,
  },
};

export const cancelResponse: RouteDescription = {
  summary: 'Cancel a response that works in the background',
  description: `A run ends, and what was done is charged. The answer comes when it has ended, or after ${limits.answerMilliseconds / 1000} s. One that has ended stays as it is. Responses of chat models do not work in the background.`,
  tag: 'responses',
  path,
  responses: {
    200: jsonAnswer('The response as it is.', response, { ...example.runAnswer, status: 'cancelled' }),
    ...wrong(
      'The response does not work in the background.',
      'Only responses with background: true can be cancelled.',
    ),
    ...refusals,
  },
};

export const deleteResponse: RouteDescription = {
  summary: 'Delete a response',
  description:
    'That of a chat model can be neither read nor followed any more; responses that follow it already still know what it said. A run is gone with its events, its files and its `Idempotency-Key`.',
  tag: 'responses',
  path,
  responses: {
    200: jsonAnswer('The response is gone.', deletedResponse, example.deleted),
    409: jsonAnswer(
      'The run is not finished.',
      envelopeSchema,
      refusal('The run is not finished. Cancel it first.', 'run_not_finished'),
    ),
    ...refusals,
  },
};

export const listInputItems: RouteDescription = {
  summary: 'List the input of a response',
  description:
    'The items of its own input, without what came before it. A run has the answers to calls that it was given, and one message of its user.',
  tag: 'responses',
  path,
  query: itemsQuery,
  responses: {
    200: jsonAnswer('A page; `has_more` is true while more follow.', inputItems, example.inputItems),
    ...wrong('A wrong parameter.', `limit: must be at most ${limits.pageEntries}`, 'limit'),
    ...refusals,
  },
};
