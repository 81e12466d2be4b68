import { impactSchema } from '@errand/models';
import { described, limits, named, numberField, textField } from '@errand/platform';
import * as v from 'valibot';

/*
 * These schemas are for the OpenAPI document. Requests are validated by read-request.ts, because valibot's plain
 * objects would lose the order of keys that look like integers, and keys such as `constructor`.
 */

const entry = v.nullable(v.union([v.string(), v.record(v.string(), v.unknown()), v.array(v.unknown())]));

const instructions = v.optional(
  described(
    'What is asked. Objects and lists are read as JSON. Without it the id of the question is read.',
    entry,
  ),
);

const noul = named(
  'NoulQuestion',
  v.object({
    type: v.literal('noul'),
    instructions,
    criteria: v.optional(
      described(
        'What yes and no mean.',
        v.nullable(
          v.object({
            true: v.optional(described('What yes means.', entry)),
            false: v.optional(described('What no means.', entry)),
          }),
        ),
      ),
    ),
  }),
);

const choice = named(
  'ChoiceQuestion',
  v.object({
    type: v.literal('choice'),
    instructions,
    criteria: described(
      'The options by their keys, each with its description or null. Without one the key is read.',
      v.pipe(v.record(v.string(), entry), v.minEntries(2), v.maxEntries(limits.decisionOptions)),
    ),
  }),
);

const score = named(
  'ScoreQuestion',
  v.object({
    type: v.literal('score'),
    instructions,
    criteria: described(
      "The levels from the lowest, each by its description or null. Without one the level's number is read.",
      v.pipe(v.array(entry), v.minLength(2), v.maxLength(limits.decisionLevels)),
    ),
  }),
);

export const decisionBody = v.object({
  model: textField('The id of a decision model of `GET /v1/models`.'),
  state: described('The case. Objects and lists are read as JSON.', entry),
  questions: described(
    `The questions by their ids, which have 1 to 128 characters.`,
    v.pipe(
      v.record(v.string(), named('DecisionQuestion', v.variant('type', [noul, choice, score]))),
      v.minEntries(1),
      v.maxEntries(limits.decisionQuestions),
    ),
  ),
});

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
      v.object({ type: v.literal('noul'), noul: described('The probability of yes, from 0 to 1.', unit) }),
    ),
    named(
      'ChoiceAnswer',
      v.object({
        type: v.literal('choice'),
        choice: textField('The key of the likeliest option.'),
        probabilities: probabilities('option by its key'),
        confidence,
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
