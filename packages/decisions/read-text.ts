import { type OrderedJson, stringifyOrderedJson } from '@errand/platform';
import type { Option, Question } from './request.ts';

/** A string unchanged; an object, an array or null as JSON, with keys in the order sent. */
export const textOf = (value: OrderedJson): string =>
  typeof value === 'string' ? value : stringifyOrderedJson(value);

/** The question's instructions or, without any, its id. */
export const instructionsText = ({ id, instructions }: Question): string =>
  instructions === null ? id : textOf(instructions);

/** An option as the model reads it: its description or, without one, its key, its level or (for a `noul`) yes or no. */
export function optionText(question: Question, { key, description }: Option): string {
  if (description !== null) return textOf(description);
  if (question.type !== 'noul') return key;
  return key === 'true' ? 'yes' : 'no';
}
