import { impactSchema } from '@errand/models';
import { limits, named } from '@errand/platform';
import * as v from 'valibot';

/*
 * These schemas are for the OpenAPI document. Requests are validated by read-request.ts, because valibot's plain
 * objects would lose the order of keys that look like integers, and keys such as `constructor`.
 */

const entry = v.nullable(v.union([v.string(), v.record(v.string(), v.unknown()), v.array(v.unknown())]));

const instructions = v.optional(entry);

const noul = named(
  'NoulQuestion',
  v.object({
    type: v.literal('noul'),
    instructions,
    criteria: v.optional(v.nullable(v.object({ true: v.optional(entry), false: v.optional(entry) }))),
  }),
);

const choice = named(
  'ChoiceQuestion',
  v.object({
    type: v.literal('choice'),
    instructions,
    criteria: v.pipe(v.record(v.string(), entry), v.minEntries(2), v.maxEntries(limits.decisionOptions)),
  }),
);

const score = named(
  'ScoreQuestion',
  v.object({
    type: v.literal('score'),
    instructions,
    criteria: v.pipe(v.array(entry), v.minLength(2), v.maxLength(limits.decisionLevels)),
  }),
);

export const decisionBody = v.object({
  model: v.string(),
  state: entry,
  questions: v.pipe(
    v.record(v.string(), named('DecisionQuestion', v.variant('type', [noul, choice, score]))),
    v.minEntries(1),
    v.maxEntries(limits.decisionQuestions),
  ),
});

const unit = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const probabilities = v.record(v.string(), unit);

const answer = named(
  'DecisionAnswer',
  v.variant('type', [
    named('NoulAnswer', v.object({ type: v.literal('noul'), noul: unit })),
    named(
      'ChoiceAnswer',
      v.object({ type: v.literal('choice'), choice: v.string(), probabilities, confidence: unit }),
    ),
    named(
      'ScoreAnswer',
      v.object({
        type: v.literal('score'),
        score: v.number(),
        legend: v.record(v.string(), entry),
        probabilities,
        confidence: unit,
      }),
    ),
  ]),
);

export const decisionAnswer = v.object({
  model: v.string(),
  answers: v.record(v.string(), answer),
  usage: v.object({ input_tokens: v.pipe(v.number(), v.integer()), output_tokens: v.literal(0) }),
  impact: named('Impact', impactSchema),
});
