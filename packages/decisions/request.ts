import type { OrderedJson, OrderedObject } from '@errand/platform';

export type QuestionType = 'noul' | 'choice' | 'score';

/** A piece of what the model reads. */
export type Part =
  | { type: 'text'; text: string }
  | { type: 'json'; value: OrderedObject | OrderedJson[] | null }
  | { type: 'image'; url: string; detail?: string };

type Role = 'user' | 'developer' | 'system' | 'assistant';

type CallKind = 'function' | 'custom';

/** An entry of the case: a message, or a call of a tool and what it gave. */
export type Item =
  | { type: 'message'; role: Role; parts: Part[] }
  | { type: 'call'; kind: CallKind; id: string; name: string; input: string }
  | { type: 'output'; kind: CallKind; id: string; parts: Part[] };

/** A possible answer. A `noul` has two: yes, then no. */
export interface Option {
  /** Unique in its question. In a `noul`, `true` or `false`; in a `choice`, its key; in a `score`, the number of the level. */
  key: string;
  /** What the caller calls the option, if the model is to read that beside the description. */
  label?: string;
  /** What the caller gets as the answer, where that is more than the key says. */
  value?: string | boolean;
  /** Null if absent: the model then reads the label or the key. */
  description: OrderedJson;
}

export interface Question {
  /** Unique in its request. */
  id: string;
  /** What an answer without an id is called. */
  name?: string;
  type: QuestionType;
  /** None if absent: the model then reads the id. */
  instructions: Part[];
  options: Option[];
}

/** A request for a decision, the same in every dialect: a case, and questions about it. */
export interface DecisionRequest {
  /** The case. A case that is no conversation is one message of a user, with one part. */
  input: Item[];
  questions: Question[];
}

/** A text as text, an object, an array or null as JSON. */
export const partOf = (value: OrderedJson): Part =>
  value === null || typeof value === 'object'
    ? { type: 'json', value }
    : { type: 'text', text: String(value) };

/** The case that is one value. */
export const caseOf = (value: OrderedJson): Item[] => [
  { type: 'message', role: 'user', parts: [partOf(value)] },
];

/** The one part of a case that is one message of a user with one part. Undefined for any other case. */
export function onlyPart(input: readonly Item[]): Part | undefined {
  const [item, ...otherItems] = input;
  if (item?.type !== 'message' || item.role !== 'user' || otherItems.length > 0) return undefined;
  const [part, ...otherParts] = item.parts;
  return otherParts.length > 0 ? undefined : part;
}

/** The images of a case and of its questions, in their order. */
export function imagesOf({ input, questions }: DecisionRequest): { url: string }[] {
  const parts = [
    ...input.flatMap((item) => (item.type === 'call' ? [] : item.parts)),
    ...questions.flatMap(({ instructions }) => instructions),
  ];
  return parts.filter((part) => part.type === 'image');
}
