import type { OrderedJson, OrderedObject } from '@errand/platform';

export type QuestionType = 'noul' | 'choice' | 'score';

/** A possible answer. A `noul` has two: yes, then no. */
export interface Option {
  /** `true` or `false` of a `noul`, the key of a `choice`, the number of a level of a `score`. */
  key: string;
  description: OrderedJson;
}

export interface Question {
  id: string;
  type: QuestionType;
  /** Null if absent: the model then reads the id. */
  instructions: OrderedJson;
  options: Option[];
  /** As sent, without unknown keys of a `noul`. Absent on a `noul` that has none. */
  criteria?: OrderedObject | OrderedJson[];
}

export interface DecisionRequest {
  state: OrderedJson;
  questions: Question[];
}
