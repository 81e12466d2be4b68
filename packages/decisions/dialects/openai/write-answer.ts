import { impactSchema } from '@errand/models';
import { countField, described, named, numberField, textField } from '@errand/platform';
import * as v from 'valibot';
import { choiceConfidence, expectedLevel, mostLikely, scoreConfidence } from '../../confidence.ts';
import type { Question } from '../../request.ts';
import { labelFields } from '../dialect.ts';

const unit = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const probability = described('From 0 to 1.', unit);
const confidence = described(
  'How sure the answer is: 0 if all are equally likely, 1 if one is certain.',
  unit,
);
const name = described('The name of the question, if it has one.', v.nullable(v.string()));
const choiceValue = v.union([v.string(), v.boolean()]);

const predicate = v.object({
  type: v.literal('predicate'),
  name,
  probability: described('The probability of yes, from 0 to 1.', unit),
  ...labelFields,
});

const choice = v.object({
  type: v.literal('choice'),
  name,
  choice: described('The likeliest value.', choiceValue),
  confidence,
  probabilities: described(
    'The probability of each value. Their sum is 1.',
    v.array(v.object({ value: described('The value of the option.', choiceValue), probability })),
  ),
  ...labelFields,
});

const score = v.object({
  type: v.literal('score'),
  name,
  score: numberField('The expected level, counted from 0: the sum of each level times its probability.'),
  confidence,
  probabilities: described(
    'The probability of each level. Their sum is 1.',
    v.array(
      v.object({
        label: textField('The label of the level.'),
        value: numberField('The number of the level, from 0.'),
        probability,
      }),
    ),
  ),
  ...labelFields,
});

const answer = named(
  'OpenAiAnswer',
  v.variant('type', [
    named('PredicateAnswer', predicate),
    named('OpenAiChoiceAnswer', choice),
    named('OpenAiScoreAnswer', score),
    named(
      'RefusedAnswer',
      described('The model declines the question.', v.object({ type: v.literal('refusal'), name })),
    ),
  ]),
);

const none = (what: string) => described(`Always 0: a decision ${what}.`, v.literal(0));

export const openAiAnswer = v.object({
  model: textField('The id that was asked for.'),
  answers: described('In the order of the questions.', v.array(answer)),
  usage: described(
    'The tokens of the decision.',
    v.object({
      input_tokens: countField('Tokens that were read.'),
      input_tokens_details: described(
        'Parts of `input_tokens`.',
        v.object({
          cached_tokens: countField("Tokens from the provider's prompt cache."),
          cache_write_tokens: countField("Tokens written into the provider's prompt cache."),
        }),
      ),
      output_tokens: none('writes nothing'),
      output_tokens_details: described(
        'Parts of `output_tokens`.',
        v.object({ reasoning_tokens: none('reasons without words') }),
      ),
      total_tokens: countField('Both together.'),
    }),
  ),
  impact: impactSchema,
});

/** One answer as it is sent. Without probabilities the model has refused to answer the question. */
export function buildOpenAiAnswer(question: Question, probabilities: readonly number[] | undefined): object {
  const { type, options, name = null } = question;
  if (!probabilities) return { type: 'refusal', name };
  if (type === 'noul') return { type: 'predicate', name, probability: probabilities[0] };
  if (type === 'choice')
    return {
      type,
      name,
      choice: options[mostLikely(probabilities)]?.value,
      confidence: choiceConfidence(probabilities),
      probabilities: options.map(({ value }, index) => ({ value, probability: probabilities[index] })),
    };
  return {
    type,
    name,
    score: expectedLevel(probabilities),
    confidence: scoreConfidence(probabilities),
    probabilities: options.map(({ label }, level) => ({
      label,
      value: level,
      probability: probabilities[level],
    })),
  };
}
