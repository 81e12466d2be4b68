import type { OrderedJson, OrderedObject } from '@errand/platform';

export type QuestionType = 'noul' | 'choice' | 'score';

/** A possible answer. Of a `noul` the first is yes and the second no. */
export interface Option {
  /** What the answer returns: `true` or `false`, the option's key, or the level's number. */
  key: string;
  description: OrderedJson;
}

export interface Question {
  id: string;
  type: QuestionType;
  /** Null where absent: the id is read instead. */
  instructions: OrderedJson;
  options: Option[];
  /** As sent. Absent on a `noul` that has none. */
  criteria?: OrderedObject | OrderedJson[];
}

export interface DecisionRequest {
  state: OrderedJson;
  questions: Question[];
}
