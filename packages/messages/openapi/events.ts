import { impactSchema } from '@errand/models';
import { countField, described, named, nullishText, textField } from '@errand/platform';
import * as v from 'valibot';
import { errorFields } from './error.ts';
import { contentBlock, message, messageUsage, stopFields } from './message.ts';

const delta = described(
  'What was added to a block, by the `type` that its block has. In `message_delta`: how the message ended.',
  v.looseObject({
    type: nullishText('`text_delta`, `thinking_delta`, `signature_delta` or `input_json_delta`.'),
    text: nullishText('Of `text_delta`: more of the text.'),
    thinking: nullishText('Of `thinking_delta`: more of the thinking.'),
    signature: nullishText('Of `signature_delta`: the signature of the block, whole.'),
    partial_json: nullishText('Of `input_json_delta`: more of the JSON of the arguments.'),
    ...stopFields,
  }),
);

/** The data of an event of a stream. Events of other types are the provider's own. */
export const messageEvent = named(
  'MessageEvent',
  described(
    'The JSON of one event of a stream. `message_stop` is the last, or `error` of an answer that broke off.',
    v.looseObject({
      type: textField(
        '`message_start`, `content_block_start`, `content_block_delta`, `content_block_stop`, `message_delta`, `message_stop`, `ping` or `error`.',
      ),
      message: v.optional(message),
      index: v.optional(countField('Which block of the answer it is of, from 0.')),
      content_block: v.optional(contentBlock),
      delta: v.optional(delta),
      usage: v.optional(messageUsage),
      impact: v.optional(impactSchema),
      error: v.optional(errorFields),
      request_id: nullishText('Of `error`: the id of the request.'),
    }),
  ),
);
