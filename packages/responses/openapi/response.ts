import { impactSchema } from '@errand/models';
import {
  countField,
  described,
  named,
  nullishFlag,
  nullishInteger,
  nullishNumber,
  nullishObject,
  nullishText,
  numberField,
  textField,
} from '@errand/platform';
import * as v from 'valibot';
import { outputItem } from './items.ts';

const usage = named(
  'ResponseUsage',
  v.looseObject({
    input_tokens: countField('Tokens that were read.'),
    input_tokens_details: described(
      'Parts of `input_tokens`.',
      v.looseObject({ cached_tokens: countField("Tokens from the provider's prompt cache.") }),
    ),
    output_tokens: countField('Tokens that were written.'),
    output_tokens_details: described(
      'Parts of `output_tokens`.',
      v.looseObject({ reasoning_tokens: countField('Tokens of reasoning.') }),
    ),
    total_tokens: countField('Both together.'),
    audio_seconds: v.optional(numberField('Seconds of recordings that a run transcribed.')),
    credits: v.optional(textField('What a run was charged: EUR, as a decimal.')),
  }),
);

export const response = named(
  'Response',
  described(
    'A response as it is by then.',
    v.looseObject({
      id: textField('The id of the response.'),
      object: v.literal('response'),
      created_at: numberField('Seconds since the epoch.'),
      completed_at: nullishNumber('Seconds since the epoch; null while it is not complete.'),
      status: described(
        'How far it is.',
        v.picklist(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
      ),
      error: described(
        'Why it failed.',
        v.nullable(
          v.looseObject({ code: textField('The name of the failure.'), message: textField('In words.') }),
        ),
      ),
      incomplete_details: described(
        'Why it is incomplete.',
        v.nullable(
          v.looseObject({
            reason: textField(
              '`max_output_tokens`, or `content_filter`; `awaiting_input` of a run that needs `required_input`.',
            ),
          }),
        ),
      ),
      model: textField('The id that was asked for.'),
      output: described('What was answered.', v.array(outputItem)),
      usage: described('The tokens; null until the end.', v.nullable(usage)),
      impact: v.optional(impactSchema),
      required_input: v.optional(
        described(
          'What a run that goes on has to bring, where one is `incomplete` for want of it. Calls of functions and requests for approval are in `output`.',
          v.array(
            v.looseObject({
              name: textField('A field of a run, such as `documentUrl`.'),
              description: textField('What it is for.'),
            }),
          ),
        ),
      ),
      stop_reason: v.optional(
        described(
          'Why a run ended before its model was ready to.',
          v.picklist(['rounds', 'credits', 'schema']),
        ),
      ),
      unsupported: v.optional(
        described(
          'JSON Pointers of facts of the value that its sources do not bear out.',
          v.array(v.string()),
        ),
      ),
      background: nullishFlag('Whether it is worked on while nobody waits.'),
      instructions: nullishText('As it was asked for.'),
      previous_response_id: nullishText('What it follows.'),
      store: nullishFlag('Whether it is kept; false at the end of one that could not be.'),
      max_output_tokens: nullishInteger('As it was asked for.', 1),
      parallel_tool_calls: nullishFlag('As it was asked for, or true.'),
      temperature: nullishNumber('As it was asked for, or 1.'),
      top_p: nullishNumber('As it was asked for, or 1.'),
      presence_penalty: nullishNumber('As it was asked for, or 0.'),
      frequency_penalty: nullishNumber('As it was asked for, or 0.'),
      tools: described('As they were asked for.', v.nullish(v.array(v.looseObject({})))),
      tool_choice: described(
        'As it was asked for, or `auto`.',
        v.optional(v.union([v.string(), v.looseObject({})])),
      ),
      text: nullishObject('As it was asked for.'),
      reasoning: nullishObject('As it was asked for.'),
      metadata: nullishObject('As it was asked for.'),
    }),
  ),
);
