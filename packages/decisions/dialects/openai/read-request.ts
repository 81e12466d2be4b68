import { limits, type OrderedJson, type OrderedObject } from '@errand/platform';
import type { DecisionRequest, Option, Question } from '../../request.ts';
import { type Report, readReporting } from '../report.ts';
import { readInput } from './read-input.ts';
import { readParts } from './read-parts.ts';

/** Reads a request in OpenAI's words. Throws `invalid_request` with every issue. Unknown fields are ignored. */
export const readOpenAiRequest = (body: OrderedObject): DecisionRequest =>
  readReporting((report) => ({
    input: readInput(body.get('input'), report),
    questions: readQuestions(body.get('questions'), report),
  }));

function readQuestions(value: OrderedJson | undefined, report: Report): Question[] {
  if (value === undefined) report('questions', 'is required');
  else if (!Array.isArray(value)) report('questions', 'must be a list');
  else if (value.length < 1 || value.length > limits.openAiQuestions)
    report('questions', `must have 1 to ${limits.openAiQuestions} questions`);
  else return value.flatMap((question, index) => readQuestion(question, index, report) ?? []);
  return [];
}

function readQuestion(value: OrderedJson, index: number, report: Report): Question | undefined {
  const at = `questions[${index}]`;
  if (!(value instanceof Map)) return report(at, 'must be an object');
  const instructions = readParts(
    value.get('instructions'),
    { at: `${at}.instructions`, allowed: ['input_text', 'input_image', 'input_json'] },
    report,
  );
  const name = value.get('name') ?? null;
  if (name !== null && typeof name !== 'string') report(`${at}.name`, 'must be a string');
  const head = { id: `question_${index + 1}`, ...(typeof name === 'string' && { name }), instructions };
  const type = value.get('type');
  if (type === 'predicate') return { ...head, type: 'noul', options: yesAndNo };
  if (type === 'choice')
    return { ...head, type, options: readChoices(value.get('choices'), `${at}.choices`, report) };
  if (type === 'score')
    return { ...head, type, options: readLevels(value.get('levels'), `${at}.levels`, report) };
  return report(`${at}.type`, 'must be predicate, choice or score');
}

const yesAndNo: Option[] = ['true', 'false'].map((key) => ({ key, description: null }));

function readChoices(value: OrderedJson | undefined, at: string, report: Report): Option[] {
  const entries = readEntries(value, { at, most: limits.decisionOptions }, report);
  const values = new Set<OrderedJson>();
  const labels = labelValues(entries.map(({ entry }) => entry.get('value')));
  return entries.flatMap(({ entry, place, description }, index) => {
    const chosen = entry.get('value');
    if (typeof chosen !== 'string' && typeof chosen !== 'boolean')
      return report(`${place}.value`, 'must be a string or a boolean') ?? [];
    if (values.has(chosen)) return report(`${place}.value`, 'is there twice') ?? [];
    values.add(chosen);
    const label = labels[index] ?? '';
    return { key: label, label, value: chosen, description };
  });
}

/** What the model reads of each value. A text is quoted where it would be read as another value, or could be no key. */
function labelValues(values: readonly (OrderedJson | undefined)[]): string[] {
  const taken = new Set(['__proto__', ...values.filter((value) => typeof value === 'boolean').map(String)]);
  return values.map((value) => {
    let label = String(value);
    if (typeof value === 'string') while (taken.has(label)) label = JSON.stringify(label);
    taken.add(label);
    return label;
  });
}

function readLevels(value: OrderedJson | undefined, at: string, report: Report): Option[] {
  const entries = readEntries(value, { at, most: limits.decisionLevels }, report);
  return entries.flatMap(({ entry, place, description }, level) => {
    const label = entry.get('label');
    if (typeof label !== 'string') return report(`${place}.label`, 'must be a string') ?? [];
    return { key: String(level), label, value: label, description };
  });
}

interface Entry {
  entry: OrderedObject;
  place: string;
  description: string | null;
}

/** The entries of a list of choices or levels that are objects, with their descriptions. */
function readEntries(
  value: OrderedJson | undefined,
  { at, most }: { at: string; most: number },
  report: Report,
): Entry[] {
  if (!Array.isArray(value) || value.length < 2 || value.length > most)
    return report(at, `must be a list of 2 to ${most} entries`) ?? [];
  return value.flatMap((entry, index) => {
    const place = `${at}[${index}]`;
    if (!(entry instanceof Map)) return report(place, 'must be an object') ?? [];
    const description = entry.get('description') ?? null;
    if (description === null || typeof description === 'string') return { entry, place, description };
    return report(`${place}.description`, 'must be a string') ?? [];
  });
}
