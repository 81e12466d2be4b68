import type { Model, Usage } from '@errand/models';
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

interface Made {
  model: Model;
  usage: Usage;
  probabilities: readonly (number[] | undefined)[];
}

export const notAnObject = 'must be an object';
