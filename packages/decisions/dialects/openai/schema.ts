import { described, limits, named, textField } from '@errand/platform';
import * as v from 'valibot';
import {
  ignoredOfAnswers,
  ignoredOfCalls,
  ignoredOfOutputs,
  ignoredOfRequests,
  promptCacheBreakpoint,
} from './ignored-fields.ts';

/* These schemas are for the OpenAPI document. Requests are validated by read-request.ts, which keeps the order of keys. */

const inputText = named(
  'InputText',
  v.object({ type: v.literal('input_text'), text: textField('The text.'), ...promptCacheBreakpoint }),
);
const inputImage = named(
  'InputImage',
  v.object({
    type: v.literal('input_image'),
    image_url: textField('An address, or a data URL.'),
    detail: v.optional(
      described('How closely the model looks.', v.nullable(v.picklist(['low', 'high', 'auto', 'original']))),
    ),
    ...promptCacheBreakpoint,
  }),
);
const jsonObject = v.record(v.string(), v.unknown());
const inputJson = named(
  'InputJson',
  v.object({
    type: v.literal('input_json'),
    data: described('An object, or a list of objects.', v.union([jsonObject, v.array(jsonObject)])),
  }),
);
const outputText = named(
  'OutputText',
  v.object({ type: v.literal('output_text'), text: textField('What the model said.') }),
);
const refusal = named(
  'OutputRefusal',
  v.object({ type: v.literal('refusal'), refusal: textField('Why the model did not answer.') }),
);

const parts = <T extends v.GenericSchema>(description: string, part: T) =>
  described(`${description} A text, or parts.`, v.union([v.string(), v.pipe(v.array(part), v.minLength(1))]));

const messageFields = <R extends string, T extends v.GenericSchema>(role: R, part: T) => ({
  type: v.optional(v.literal('message')),
  role: described('Who speaks.', v.literal(role)),
  content: parts('What is said.', part),
});

const callId = textField('The id of the call, which its output repeats.');
const toolName = textField('The tool that is called.');
const output = parts('What the tool answered.', v.variant('type', [inputText, inputImage]));

const item = named(
  'OpenAiInputItem',
  v.union([
    v.object(messageFields('user', v.variant('type', [inputText, inputImage, inputJson]))),
    v.object(messageFields('developer', inputText)),
    v.object(messageFields('system', inputText)),
    v.object({
      ...messageFields('assistant', v.variant('type', [outputText, refusal])),
      ...ignoredOfAnswers,
    }),
    v.object({
      type: v.literal('function_call'),
      call_id: callId,
      name: toolName,
      arguments: textField('The arguments, as JSON.'),
      ...ignoredOfCalls,
    }),
    v.object({
      type: v.literal('function_call_output'),
      call_id: callId,
      output,
      ...ignoredOfOutputs,
    }),
    v.object({
      type: v.literal('custom_tool_call'),
      call_id: callId,
      name: toolName,
      input: textField('What the tool is called with.'),
      ...ignoredOfCalls,
    }),
    v.object({
      type: v.literal('custom_tool_call_output'),
      call_id: callId,
      output,
      ...ignoredOfOutputs,
    }),
  ]),
);

const head = {
  name: v.optional(described('A name, which the answer repeats.', v.nullable(v.string()))),
  instructions: parts('What is asked.', v.variant('type', [inputText, inputImage, inputJson])),
};
const description = v.optional(
  described('What it means. The model reads it after the value or label.', v.nullable(v.string())),
);
const choiceValue = v.union([v.string(), v.boolean()]);
const question = named(
  'OpenAiQuestion',
  v.variant('type', [
    named('PredicateQuestion', v.object({ type: v.literal('predicate'), ...head })),
    named(
      'OpenAiChoiceQuestion',
      v.object({
        type: v.literal('choice'),
        ...head,
        choices: described(
          'The options. Each value is there once.',
          v.pipe(
            v.array(v.object({ value: described('What the answer repeats.', choiceValue), description })),
            v.minLength(2),
            v.maxLength(limits.decisionOptions),
          ),
        ),
      }),
    ),
    named(
      'OpenAiScoreQuestion',
      v.object({
        type: v.literal('score'),
        ...head,
        levels: described(
          'The levels, the lowest first.',
          v.pipe(
            v.array(v.object({ label: textField('What the answer repeats.'), description })),
            v.minLength(2),
            v.maxLength(limits.decisionLevels),
          ),
        ),
      }),
    ),
  ]),
);

export const openAiBody = v.object({
  model: textField('The id of a decision model of `GET /v1/models`.'),
  input: described(
    'The case: a text, or messages, calls of tools and their outputs.',
    v.union([v.string(), v.pipe(v.array(item), v.minLength(1))]),
  ),
  questions: described(
    'The questions, in the order of their answers.',
    v.pipe(v.array(question), v.minLength(1), v.maxLength(limits.openAiQuestions)),
  ),
  ...ignoredOfRequests,
});
