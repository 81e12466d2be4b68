import { limits } from '@errand/platform';
import { isObject, ownProperty } from '../../json-object.ts';
import type { DecisionRequest, Option, Question } from '../../request.ts';
import { type Report, readReporting } from '../report.ts';
import { orderedValues } from './ordered-values.ts';
import { readInput } from './read-input.ts';
import { readParts } from './read-parts.ts';
import type { Reader } from './reader.ts';

/** Reads a request in OpenAI's words. Throws `invalid_request` with every issue. Unknown fields are ignored. */
export const readOpenAiRequest = (fields: object, body: string): DecisionRequest =>
  readReporting((report) => {
    const ordered = orderedValues(body, report);
    return {
      input: readInput(ownProperty(fields, 'input'), { ordered, report }),
      questions: readQuestions(ownProperty(fields, 'questions'), { ordered, report }),
    };
  });

function readQuestions(value: unknown, reader: Reader): Question[] {
  const { report } = reader;
  if (value === undefined) report('questions', 'is required');
  else if (!Array.isArray(value)) report('questions', 'must be a list');
  else if (value.length < 1 || value.length > limits.openAiQuestions)
    report('questions', `must have 1 to ${limits.openAiQuestions} questions`);
  else return value.flatMap((question, index) => readQuestion(question, index, reader) ?? []);
  return [];
}

function readQuestion(value: unknown, index: number, reader: Reader): Question | undefined {
  const { report } = reader;
  const at = `questions[${index}]`;
  if (!isObject(value)) return report(at, 'must be an object');
  const place = { at: `${at}.instructions`, allowed: ['input_text', 'input_image', 'input_json'] as const };
  const instructions = readParts(ownProperty(value, 'instructions'), place, reader);
  const name = ownProperty(value, 'name') ?? null;
  if (name !== null && typeof name !== 'string') report(`${at}.name`, 'must be a string');
  const head = { id: `question_${index + 1}`, ...(typeof name === 'string' && { name }), instructions };
  const type = ownProperty(value, 'type');
  if (type === 'predicate') return { ...head, type: 'noul', options: yesAndNo };
  if (type === 'choice')
    return { ...head, type, options: readChoices(ownProperty(value, 'choices'), `${at}.choices`, report) };
  if (type === 'score')
    return { ...head, type, options: readLevels(ownProperty(value, 'levels'), `${at}.levels`, report) };
  return report(`${at}.type`, 'must be predicate, choice or score');
}

const yesAndNo: Option[] = ['true', 'false'].map((key) => ({ key, description: null }));

function readChoices(value: unknown, at: string, report: Report): Option[] {
  const entries = readEntries(value, { at, most: limits.decisionOptions }, report);
  const booleans = new Set(
    entries.map((entry) => ownProperty(entry, 'value')).filter((chosen) => typeof chosen === 'boolean'),
  );
  const values = new Set<string | boolean>();
  const options: Option[] = [];
  for (const [index, entry] of entries.entries()) {
    const chosen = ownProperty(entry, 'value');
    if (typeof chosen !== 'string' && typeof chosen !== 'boolean')
      report(`${at}[${index}].value`, 'must be a string or a boolean');
    else if (values.has(chosen)) report(`${at}[${index}].value`, 'is there twice');
    else {
      values.add(chosen);
      const label = labelOf(chosen, booleans);
      const description = readDescription(entry, `${at}[${index}]`, report);
      options.push({ key: label, label, value: chosen, description });
    }
  }
  return options;
}

/**
 * What the model reads of a value, and the key of the option: a text that would be read as a boolean of the same question, or
 * could be no key, is quoted. So is one that begins with a quote, so that no two values have the same label.
 */
function labelOf(value: string | boolean, booleans: ReadonlySet<boolean>): string {
  if (typeof value === 'boolean') return String(value);
  const isBoolean = (value === 'true' || value === 'false') && booleans.has(value === 'true');
  return isBoolean || value === '__proto__' || value.startsWith('"') ? JSON.stringify(value) : value;
}

function readLevels(value: unknown, at: string, report: Report): Option[] {
  return readEntries(value, { at, most: limits.decisionLevels }, report).map((entry, level) => {
    const label = ownProperty(entry, 'label');
    if (typeof label !== 'string') report(`${at}[${level}].label`, 'must be a string');
    const description = readDescription(entry, `${at}[${level}]`, report);
    return { key: String(level), label: String(label), value: String(label), description };
  });
}

/** The list of choices or levels. None if there is something wrong with it. */
function readEntries(value: unknown, { at, most }: { at: string; most: number }, report: Report): object[] {
  if (!Array.isArray(value) || value.length < 2 || value.length > most)
    return report(at, `must be a list of 2 to ${most} entries`) ?? [];
  const wrong = value.findIndex((entry) => !isObject(entry));
  return wrong < 0 ? value : (report(`${at}[${wrong}]`, 'must be an object') ?? []);
}

function readDescription(entry: object, at: string, report: Report): string | null {
  const description = ownProperty(entry, 'description') ?? null;
  if (description === null || typeof description === 'string') return description;
  return report(`${at}.description`, 'must be a string') ?? null;
}
