import {
  described,
  describePageLimit,
  flagField,
  named,
  numberParameter,
  textField,
  textParameter,
} from '@errand/platform';
import * as v from 'valibot';
import { text } from './fields.ts';
import { inputItem } from './request.ts';

export const path = {
  id: textParameter('The id of a response.', 'resp_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d'),
};

export const streamQuery = {
  stream: {
    description: "Whether the events are asked for, which a run's response has.",
    schema: v.optional(v.picklist(['true', 'false']), 'false'),
    example: 'true',
  },
  starting_after: numberParameter('The `sequence_number` of the event to go on after; all without it.', {
    minimum: 0,
  }),
};

export const itemsQuery = {
  limit: describePageLimit(),
  order: {
    description: 'Whether the newest item (`desc`) or the oldest one is the first.',
    schema: v.optional(v.picklist(['asc', 'desc']), 'desc'),
    example: 'desc',
  },
  after: textParameter('The `last_id` of the page before.'),
};

export const deletedResponse = named(
  'DeletedResponse',
  v.object({
    id: textField('The id of the response.'),
    object: v.literal('response'),
    deleted: flagField('Always true.'),
  }),
);

export const inputItems = named(
  'ResponseInputItemList',
  v.object({
    object: v.literal('list'),
    data: described('The items, each with an id.', v.array(inputItem)),
    first_id: text('The id of the first of them; null if there are none.'),
    last_id: text('The id of the last of them; null if there are none.'),
    has_more: flagField('Whether more follow.'),
  }),
);
