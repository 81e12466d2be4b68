import type { Model, Usage } from '@errand/models';
import { countField, described } from '@errand/platform';
import * as v from 'valibot';
import type { Reading } from '../engines/engine.ts';
import type { DecisionRequest } from '../request.ts';

/** A request's body that is an object. */
interface Opened {
  /** The field `model`, which is checked before all others. */
  model: unknown;
  /** Reads the other fields. Throws `invalid_request`. */
  read(): DecisionRequest;
}

/** The words in which callers ask for decisions. */
export interface Dialect {
  /** Throws `malformed_json`, and `invalid_request` for JSON that is no object. */
  open(body: string): Opened;
  /** The passes in which the model reads the request. Throws `context_length_exceeded`. */
  passesOf(model: Model, request: DecisionRequest): Promise<DecisionRequest[]>;
  /** The JSON of the answer, without the impact. Throws `unreadable_answer` for what the dialect has no word for. */
  write(request: DecisionRequest, made: Made): string;
}

interface Made extends Pick<Reading, 'probabilities' | 'labels'> {
  model: Model;
  usage: Usage;
}

/** Fields of an answer that only label readers have. */
export const labelFields = {
  labelMass: v.optional(
    described(
      'What the labels of the options had together of all probability, from 0 to 1. A low one says that the model would rather have written something else.',
      v.number(),
    ),
  ),
  labelsOmitted: v.optional(
    countField(
      "Options whose probability the model's server did not tell: each has the most that it can have.",
    ),
  ),
};

export const notAnObject = 'must be an object';
