import { impactSchema } from '@errand/models';
import { limits, named } from '@errand/platform';
import * as v from 'valibot';

/* These schemas are for the OpenAPI document. Requests are validated by read-request.ts, which keeps the order of keys. */

const inputText = named('InputText', v.object({ type: v.literal('input_text'), text: v.string() }));
const inputImage = named(
  'InputImage',
  v.object({
    type: v.literal('input_image'),
    image_url: v.string(),
    detail: v.optional(v.nullable(v.picklist(['low', 'high', 'auto', 'original']))),
  }),
);
const jsonObject = v.record(v.string(), v.unknown());
const inputJson = named(
  'InputJson',
  v.object({
    type: v.literal('input_json'),
    data: v.union([jsonObject, v.array(jsonObject)]),
  }),
);
const outputText = named('OutputText', v.object({ type: v.literal('output_text'), text: v.string() }));
const refusal = named('OutputRefusal', v.object({ type: v.literal('refusal'), refusal: v.string() }));

const parts = <T extends v.GenericSchema>(part: T) =>
  v.union([v.string(), v.pipe(v.array(part), v.minLength(1))]);

const message = <R extends string, T extends v.GenericSchema>(role: R, part: T) =>
  v.object({ type: v.optional(v.literal('message')), role: v.literal(role), content: parts(part) });

const toolOutput = parts(v.variant('type', [inputText, inputImage]));
const item = named(
  'OpenAiInputItem',
  v.union([
    message('user', v.variant('type', [inputText, inputImage, inputJson])),
    message('developer', inputText),
    message('system', inputText),
    message('assistant', v.variant('type', [outputText, refusal])),
    v.object({
      type: v.literal('function_call'),
      call_id: v.string(),
      name: v.string(),
      arguments: v.string(),
    }),
    v.object({ type: v.literal('function_call_output'), call_id: v.string(), output: toolOutput }),
    v.object({
      type: v.literal('custom_tool_call'),
      call_id: v.string(),
      name: v.string(),
      input: v.string(),
    }),
    v.object({ type: v.literal('custom_tool_call_output'), call_id: v.string(), output: toolOutput }),
  ]),
);

const head = {
  name: v.optional(v.nullable(v.string())),
  instructions: parts(v.variant('type', [inputText, inputImage, inputJson])),
};
const description = v.optional(v.nullable(v.string()));
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
        choices: v.pipe(
          v.array(v.object({ value: choiceValue, description })),
          v.minLength(2),
          v.maxLength(limits.decisionOptions),
        ),
      }),
    ),
    named(
      'OpenAiScoreQuestion',
      v.object({
        type: v.literal('score'),
        ...head,
        levels: v.pipe(
          v.array(v.object({ label: v.string(), description })),
          v.minLength(2),
          v.maxLength(limits.decisionLevels),
        ),
      }),
    ),
  ]),
);

export const openAiBody = v.object({
  model: v.string(),
  input: v.union([v.string(), v.pipe(v.array(item), v.minLength(1))]),
  questions: v.pipe(v.array(question), v.minLength(1), v.maxLength(limits.openAiQuestions)),
});

const unit = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const name = v.nullable(v.string());
const answer = named(
  'OpenAiAnswer',
  v.variant('type', [
    named('PredicateAnswer', v.object({ type: v.literal('predicate'), name, probability: unit })),
    named(
      'OpenAiChoiceAnswer',
      v.object({
        type: v.literal('choice'),
        name,
        choice: choiceValue,
        confidence: unit,
        probabilities: v.array(v.object({ value: choiceValue, probability: unit })),
      }),
    ),
    named(
      'OpenAiScoreAnswer',
      v.object({
        type: v.literal('score'),
        name,
        score: v.number(),
        confidence: unit,
        probabilities: v.array(v.object({ label: v.string(), value: v.number(), probability: unit })),
      }),
    ),
    named('RefusedAnswer', v.object({ type: v.literal('refusal'), name })),
  ]),
);

const tokens = v.pipe(v.number(), v.integer(), v.minValue(0));

export const openAiAnswer = v.object({
  model: v.string(),
  answers: v.array(answer),
  usage: v.object({
    input_tokens: tokens,
    input_tokens_details: v.object({ cached_tokens: tokens, cache_write_tokens: tokens }),
    output_tokens: v.literal(0),
    output_tokens_details: v.object({ reasoning_tokens: v.literal(0) }),
    total_tokens: tokens,
  }),
  impact: named('Impact', impactSchema),
});

export const openAiError = v.object({
  error: v.object({
    message: v.string(),
    type: v.string(),
    param: v.nullable(v.string()),
    code: v.nullable(v.string()),
  }),
});
