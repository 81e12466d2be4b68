import { impactSchema } from '@errand/models';
import { countField, described, named, nullishObject, nullishText, textField } from '@errand/platform';
import * as v from 'valibot';

export const contentBlock = named(
  'MessageContentBlock',
  described(
    "A part of an answer. A provider's own kinds of blocks pass as they came.",
    v.looseObject({
      type: textField('`text`, `thinking`, `redacted_thinking` or `tool_use`.'),
      text: nullishText('Of `text`: what is said.'),
      thinking: nullishText('Of `thinking`: what was thought.'),
      signature: nullishText(
        'Of `thinking`: goes back with it unchanged, or the model does not see it again.',
      ),
      data: nullishText('Of `redacted_thinking`: goes back unchanged.'),
      id: nullishText('Of `tool_use`: by this id the result of the call goes back.'),
      name: nullishText('Of `tool_use`: the tool that is called.'),
      input: nullishObject('Of `tool_use`: the arguments. `INVALID_JSON` has what was no JSON object.'),
    }),
  ),
);

const tokens = {
  input_tokens: countField('Tokens that were read and are not of the cache.'),
  cache_read_input_tokens: countField("Tokens from the provider's prompt cache."),
  cache_creation_input_tokens: countField("Tokens that were written to the provider's prompt cache."),
  output_tokens: countField('Tokens that were written, those of thinking included.'),
};

export const messageUsage = named(
  'MessageUsage',
  described(
    'The tokens that are charged. In `message_start` all are 0 where the provider tells them at the end.',
    v.looseObject({
      ...tokens,
      output_tokens_details: v.optional(
        described(
          'Parts of `output_tokens`.',
          v.nullable(v.looseObject({ thinking_tokens: countField('Tokens of thinking.') })),
        ),
      ),
    }),
  ),
);

/** Why a message ended. */
export const stopFields = {
  stop_reason: nullishText(
    '`end_turn`, `tool_use`, `max_tokens`, `stop_sequence` or `refusal`; null before the end, and of an answer that broke off. Providers may have more.',
  ),
  stop_sequence: nullishText('Of `stop_sequence`: which one it was.'),
};

export const message = named(
  'Message',
  described(
    'An answer.',
    v.looseObject({
      id: textField('The id of the message. Nothing is kept by it.'),
      type: v.literal('message'),
      role: described('Who speaks.', v.literal('assistant')),
      model: textField('The id that was asked for.'),
      content: described('What was answered.', v.array(contentBlock)),
      ...stopFields,
      usage: messageUsage,
      impact: v.optional(impactSchema),
    }),
  ),
);

export const tokenCount = named(
  'MessageTokenCount',
  v.looseObject({ input_tokens: countField('Tokens of the request. None is charged.') }),
);
