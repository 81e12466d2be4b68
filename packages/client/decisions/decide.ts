import type { CallOptions } from '../chat/chat.ts';
import { type Connection, sendJson } from '../connection/connection.ts';
import { readJson } from '../connection/read-json.ts';
import type { components } from '../schema.ts';

type Schemas = components['schemas'];

export type Question = Schemas['DecisionQuestion'];
export type Questions = Record<string, Question>;

type WithCriteria<Criteria> = { type: string; criteria: Criteria };

/** The answer to a question: of a `choice` with the options that were given, of a `score` with the levels. */
export type AnswerOf<Q extends { type: string }> = Q['type'] extends 'noul'
  ? Schemas['NoulAnswer']
  : Q['type'] extends 'choice'
    ? Q extends WithCriteria<infer Options>
      ? Omit<Schemas['ChoiceAnswer'], 'choice' | 'probabilities'> & {
          choice: keyof Options & string;
          probabilities: Record<keyof Options & string, number>;
        }
      : Schemas['ChoiceAnswer']
    : Q['type'] extends 'score'
      ? Schemas['ScoreAnswer']
      : Schemas['DecisionAnswer'];

export interface DecisionRequest<Q extends Questions = Questions> {
  /** The id of a decision model. */
  model: string;
  /** The case. Objects and lists are read as JSON. */
  state: Schemas['DecisionRequest']['state'];
  /** By ids of 1 to 128 characters. */
  questions: Q;
}

export interface Decision<Q extends Questions = Questions> extends Omit<Schemas['Decision'], 'answers'> {
  answers: { [Id in keyof Q]: AnswerOf<Q[Id]> };
}

/** Asks questions about a case, and resolves with a probability for every possible answer. */
export async function decide<const Q extends Questions>(
  connection: Connection,
  request: DecisionRequest<Q>,
  { signal }: CallOptions = {},
): Promise<Decision<Q>> {
  return readJson<Decision<Q>>(await sendJson(connection, '/v1/systemone', request, { signal }), signal);
}
