import { type OrderedJson, stringifyOrderedJson } from '@errand/platform';
import { type Item, type Option, onlyPart, type Part, type Question } from './request.ts';

/** A string unchanged; an object, an array or null as JSON, with keys in the order sent. */
export const textOf = (value: OrderedJson): string =>
  typeof value === 'string' ? value : stringifyOrderedJson(value);

/** A part as a value of JSON. An image has none: engines that read values are given no images. */
const valueOfPart = (part: Part): OrderedJson =>
  part.type === 'text' ? part.text : part.type === 'json' ? part.value : null;

const valueOfParts = (parts: readonly Part[]): OrderedJson =>
  parts.length === 1 ? valueOfPart(parts[0]!) : parts.map(valueOfPart);

/** The case as one value: what it was sent as, or the conversation as a list of its messages, calls and their results. */
export function stateOf(input: readonly Item[]): OrderedJson {
  const part = onlyPart(input);
  return part ? valueOfPart(part) : input.map((item) => new Map(fieldsOf(item)));
}

function fieldsOf(item: Item): [string, OrderedJson][] {
  if (item.type === 'message')
    return [
      ['role', item.role],
      ['content', valueOfParts(item.parts)],
    ];
  if (item.type === 'call')
    return [
      ['tool_call', item.name],
      ['id', item.id],
      ['input', item.input],
    ];
  return [
    ['tool_output_of', item.id],
    ['output', valueOfParts(item.parts)],
  ];
}

/** The passes of a request share its case: its text is written once. */
const caseTexts = new WeakMap<readonly Item[], string>();

/** The case as the model reads it. */
export function caseText(input: readonly Item[]): string {
  const text = caseTexts.get(input) ?? textOf(stateOf(input));
  caseTexts.set(input, text);
  return text;
}

/** The question's instructions as one value; null without any. */
export const instructionsOf = ({ instructions }: Question): OrderedJson =>
  instructions.length <= 1
    ? valueOfPart(instructions[0] ?? { type: 'json', value: null })
    : instructions.map((part) => textOf(valueOfPart(part))).join('\n');

/** The question's instructions or, without any, its id. */
export const instructionsText = (question: Question): string =>
  question.instructions.length === 0 ? question.id : textOf(instructionsOf(question));

/**
 * An option as the model reads it: its description or, without one, its key, its level or (for a `noul`) yes or no. An option
 * with a label has that before its description.
 */
export function optionText({ type }: Pick<Question, 'type'>, { key, label, description }: Option): string {
  if (description !== null) return (label === undefined ? '' : `${label}: `) + textOf(description);
  if (label !== undefined) return label;
  if (type !== 'noul') return key;
  return key === 'true' ? 'yes' : 'no';
}
