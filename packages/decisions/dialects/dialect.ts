import type { Model, Usage } from '@errand/models';
import type { OrderedObject } from '@errand/platform';
import type { DecisionRequest } from '../request.ts';

/** The words in which callers ask for decisions. */
export interface Dialect {
  /** Reads the fields of a request. Throws `invalid_request`. */
  read(fields: OrderedObject): DecisionRequest;
  /** The passes in which the model reads the request. Throws `context_length_exceeded`. */
  passesOf(model: Model, request: DecisionRequest): Promise<DecisionRequest[]>;
  /** The JSON of the answer, without the impact. Throws `unreadable_answer` for what the dialect has no word for. */
  write(
    request: DecisionRequest,
    made: { model: Model; usage: Usage; probabilities: readonly (number[] | undefined)[] },
  ): string;
}
