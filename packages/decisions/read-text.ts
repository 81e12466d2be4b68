import { type OrderedJson, stringifyOrderedJson } from '@errand/platform';
import type { Option, Question } from './request.ts';

/** Text as it stands, an object or array as JSON with its keys in order, null as the word. */
export const textOf = (value: OrderedJson): string =>
  typeof value === 'string' ? value : stringifyOrderedJson(value);

/** The question or rule; without one, the question's id. */
export const instructionsText = ({ id, instructions }: Question): string =>
  instructions === null ? id : textOf(instructions);

/** What the model sees of an option: its description; without one, yes or no, its key, or its level's number. */
export function optionText(question: Question, { key, description }: Option): string {
  if (description !== null) return textOf(description);
  if (question.type !== 'noul') return key;
  return key === 'true' ? 'yes' : 'no';
}
