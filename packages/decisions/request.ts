import type { OrderedJson, OrderedObject } from '@errand/platform';

export type QuestionType = 'noul' | 'choice' | 'score';

/** A possible answer. A `noul` has two: yes, then no. */
export interface Option {
  /** In a `noul`, `true` or `false`; in a `choice`, its key; in a `score`, the number of the level. */
  key: string;
  description: OrderedJson;
}

export interface Question {
  id: string;
  type: QuestionType;
  /** Null if absent: the model then reads the id. */
  instructions: OrderedJson;
  options: Option[];
  /** The criteria as sent; a `noul` loses its unknown keys. Absent on a `noul` without criteria. */
  criteria?: OrderedObject | OrderedJson[];
}

export interface DecisionRequest {
  state: OrderedJson;
  questions: Question[];
}
