import { impactSchema } from '@errand/models';
import {
  described,
  named,
  numberField,
  type OrderedJson,
  type OrderedObject,
  textField,
} from '@errand/platform';
import * as v from 'valibot';
import { choiceConfidence, expectedLevel, mostLikely, scoreConfidence } from '../../confidence.ts';
import type { LabelReading } from '../../engines/engine.ts';
import type { Question } from '../../request.ts';
import { labelFields } from '../dialect.ts';
import { entry } from './read-request.ts';

const unit = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const confidence = described(
  'How sure the answer is: 0 if all are equally likely, 1 if one is certain.',
  unit,
);
const probabilities = (by: string) =>
  described(`The probability of each ${by}, from 0 to 1. Their sum is 1.`, v.record(v.string(), unit));

const answer = named(
  'DecisionAnswer',
  v.variant('type', [
    named(
      'NoulAnswer',
      v.object({
        type: v.literal('noul'),
        noul: described('The probability of yes, from 0 to 1.', unit),
        ...labelFields,
      }),
    ),
    named(
      'ChoiceAnswer',
      v.object({
        type: v.literal('choice'),
        choice: textField('The key of the likeliest option.'),
        probabilities: probabilities('option by its key'),
        confidence,
        ...labelFields,
      }),
    ),
    named(
      'ScoreAnswer',
      v.object({
        type: v.literal('score'),
        score: numberField(
          'The expected level, counted from 0: the sum of each level times its probability.',
        ),
        legend: described(
          'The description of each level by its number, as sent.',
          v.record(v.string(), entry),
        ),
        probabilities: probabilities('level by its number'),
        confidence,
        ...labelFields,
      }),
    ),
  ]),
);

export const decisionAnswer = v.object({
  model: textField('The id that was asked for.'),
  answers: described('The answers by the ids of their questions.', v.record(v.string(), answer)),
  usage: described(
    'The tokens of the decision.',
    v.object({
      input_tokens: described('Tokens that were read.', v.pipe(v.number(), v.integer())),
      output_tokens: described('Always 0: a decision writes nothing.', v.literal(0)),
    }),
  ),
  impact: impactSchema,
});

/** One answer as it is sent, with what a label reader says of its labels. `probabilities` are those of the question's options, in their order, and sum to 1. */
export function buildAnswer(
  question: Question,
  probabilities: readonly number[],
  labels: Partial<LabelReading> = {},
): OrderedObject {
  return new Map([...answerFields(question, probabilities), ...Object.entries(labels)]);
}

function answerFields(question: Question, probabilities: readonly number[]): [string, OrderedJson][] {
  const { type, options } = question;
  if (type === 'noul')
    return [
      ['type', type],
      ['noul', probabilities[0] ?? 0],
    ];
  const byKey = new Map(options.map(({ key }, index) => [key, probabilities[index] ?? 0]));
  if (type === 'choice')
    return [
      ['type', type],
      ['choice', options[mostLikely(probabilities)]?.key ?? ''],
      ['probabilities', byKey],
      ['confidence', choiceConfidence(probabilities)],
    ];
  return [
    ['type', type],
    ['score', expectedLevel(probabilities)],
    ['legend', new Map(options.map(({ key, description }) => [key, description]))],
    ['probabilities', byKey],
    ['confidence', scoreConfidence(probabilities)],
  ];
}
