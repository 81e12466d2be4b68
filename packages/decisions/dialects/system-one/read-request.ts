import {
  boundedList,
  DomainError,
  described,
  hasAtMost,
  issuesOf,
  limits,
  named,
  nameOf,
  type OrderedJson,
  objectOf,
  orderedRecord,
  shownAs,
} from '@errand/platform';
import * as v from 'valibot';
import { caseOf, type DecisionRequest, type Option, partOf } from '../../request.ts';

/** A text as it is, an object or a list as JSON. Null is as absent. */
export const entry = shownAs(
  v.nullable(v.union([v.string(), v.record(v.string(), v.unknown()), v.array(v.unknown())])),
  v.custom<OrderedJson>(
    (value) => typeof value === 'object' || typeof value === 'string',
    'must be a string, an object, an array or null',
  ),
);

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
          objectOf(
            v.object({
              true: v.optional(described('What yes means.', entry)),
              false: v.optional(described('What no means.', entry)),
            }),
            'must be an object or null',
          ),
        ),
      ),
    ),
  }),
);

const optionsProblem = 'must be an object from option to description';

const choice = named(
  'ChoiceQuestion',
  v.object(
    {
      type: v.literal('choice'),
      instructions,
      criteria: described(
        'The options by their keys, each with its description or null. Without one the key is read.',
        orderedRecord(
          v.string(),
          entry,
          {
            least: 2,
            most: limits.decisionOptions,
            problem: `must have 2 to ${limits.decisionOptions} options`,
          },
          optionsProblem,
        ),
      ),
    },
    optionsProblem,
  ),
);

const levelsProblem = 'must be an array of descriptions, lowest level first';

const score = named(
  'ScoreQuestion',
  v.object(
    {
      type: v.literal('score'),
      instructions,
      criteria: described(
        "The levels from the lowest, each by its description or null. Without one the level's number is read.",
        boundedList(
          entry,
          {
            least: 2,
            most: limits.decisionLevels,
            problem: `must have 2 to ${limits.decisionLevels} levels`,
          },
          levelsProblem,
        ),
      ),
    },
    levelsProblem,
  ),
);

const questionId = v.pipe(
  v.string(),
  v.check(
    (id) => id !== '' && hasAtMost(id, limits.decisionQuestionIdCharacters),
    `a question's id must have 1 to ${limits.decisionQuestionIdCharacters} characters`,
  ),
);

const question = objectOf(
  named('DecisionQuestion', v.variant('type', [noul, choice, score], 'must be noul, choice or score')),
);

type SentQuestion = v.InferOutput<typeof question>;

const request = v.object({
  state: described('The case. Objects and lists are read as JSON.', entry),
  questions: described(
    `The questions by their ids, which have 1 to ${limits.decisionQuestionIdCharacters} characters.`,
    orderedRecord(questionId, question, {
      least: 1,
      most: limits.decisionQuestions,
      problem: `must have 1 to ${limits.decisionQuestions} entries`,
    }),
  ),
});

/** A request of System One's protocol. Unknown fields are ignored. */
export const decisionBody = v.object({
  model: nameOf('The id of a decision model of `GET /v1/models`.'),
  ...request.entries,
});

/** Reads what a body has besides its `model`. Throws `invalid_request` with every issue. */
export function readRequest(body: OrderedJson): DecisionRequest {
  const { success, issues, output } = v.safeParse(objectOf(request), body);
  if (!success) throw new DomainError('invalid_request', { issues: issuesOf(issues, fieldOf) });
  const questions = [...output.questions].map(([id, { type, instructions, criteria }]) => ({
    id,
    type,
    instructions: instructions == null ? [] : [partOf(instructions)],
    options: optionsOf(criteria),
  }));
  return { input: caseOf(output.state), questions };
}

/** The options by what the criteria are: those of a `choice` are a map, those of a `score` are a list. */
function optionsOf(criteria: SentQuestion['criteria']): Option[] {
  if (criteria instanceof Map) return [...criteria].map(([key, description]) => ({ key, description }));
  if (Array.isArray(criteria))
    return criteria.map((description, level) => ({ key: String(level), description }));
  return (['true', 'false'] as const).map((key) => ({ key, description: criteria?.[key] ?? null }));
}

/** `questions.q.criteria.1`. A key that is far too long for an id is cut, so that the refusal stays short. */
const fieldOf = (keys: readonly unknown[]): string => keys.map((key) => shorten(String(key))).join('.');

const shorten = (key: string): string =>
  key.length > 2 * limits.decisionQuestionIdCharacters
    ? `${key.slice(0, limits.decisionQuestionIdCharacters)}...`
    : key;
