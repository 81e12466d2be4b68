import type { OrderedJson, OrderedObject } from '@errand/platform';
import { hasAtMost, limits } from '@errand/platform';
import {
  caseOf,
  type DecisionRequest,
  type Option,
  partOf,
  type Question,
  type QuestionType,
} from '../../request.ts';
import { type Report, readReporting } from '../report.ts';

const types: readonly QuestionType[] = ['noul', 'choice', 'score'];
const entryProblem = 'must be a string, an object, an array or null';

/** Reads a request of System One's protocol. Throws `invalid_request` with every issue. Unknown fields are ignored. */
export const readRequest = (body: OrderedObject): DecisionRequest =>
  readReporting((report) => {
    const state = body.get('state');
    if (state === undefined) report('state', 'is required');
    else if (!isEntry(state)) report('state', entryProblem);
    const questions = readQuestions(body.get('questions'), report);
    return state === undefined ? undefined : { input: caseOf(state), questions };
  });

function readQuestions(value: OrderedJson | undefined, report: Report): Question[] {
  if (value === undefined) report('questions', 'is required');
  else if (!(value instanceof Map)) report('questions', 'must be an object');
  else if (value.size < 1 || value.size > limits.decisionQuestions)
    report('questions', `must have 1 to ${limits.decisionQuestions} entries`);
  else return [...value].flatMap(([id, question]) => readQuestion(id, question, report) ?? []);
  return [];
}

function readQuestion(id: string, value: OrderedJson, report: Report): Question | undefined {
  const at = `questions.${shorten(id)}`;
  if (id === '' || !hasAtMost(id, limits.decisionQuestionIdCharacters))
    return report(at, `a question's id must have 1 to ${limits.decisionQuestionIdCharacters} characters`);
  if (!(value instanceof Map)) return report(at, 'must be an object');
  const type = types.find((known) => known === value.get('type'));
  if (!type) return report(`${at}.type`, 'must be noul, choice or score');
  const text = value.get('instructions') ?? null;
  if (!isEntry(text)) report(`${at}.instructions`, entryProblem);
  const instructions = text === null ? [] : [partOf(text)];
  const criteria = value.get('criteria') ?? null;
  const field = `${at}.criteria`;
  if (type === 'noul') return readNoul({ id, type, instructions }, criteria, field, report);
  const options =
    type === 'choice' ? readChoice(criteria, field, report) : readScore(criteria, field, report);
  return options && { id, type, instructions, options };
}

type Head = Pick<Question, 'id' | 'type' | 'instructions'>;

function readNoul(head: Head, criteria: OrderedJson, field: string, report: Report): Question | undefined {
  if (criteria !== null && !(criteria instanceof Map)) return report(field, 'must be an object or null');
  const options = ['true', 'false'].map((key) => {
    const description = criteria?.get(key) ?? null;
    if (!isEntry(description)) report(`${field}.${key}`, entryProblem);
    return { key, description };
  });
  return { ...head, options };
}

function readChoice(criteria: OrderedJson, field: string, report: Report): Option[] | undefined {
  if (!(criteria instanceof Map)) return report(field, 'must be an object from option to description');
  if (criteria.size < 2 || criteria.size > limits.decisionOptions)
    return report(field, `must have 2 to ${limits.decisionOptions} options`);
  return [...criteria].map(([key, description]) => {
    if (!isEntry(description)) report(`${field}.${shorten(key)}`, entryProblem);
    return { key, description };
  });
}

function readScore(criteria: OrderedJson, field: string, report: Report): Option[] | undefined {
  if (!Array.isArray(criteria)) return report(field, 'must be an array of descriptions, lowest level first');
  if (criteria.length < 2 || criteria.length > limits.decisionLevels)
    return report(field, `must have 2 to ${limits.decisionLevels} levels`);
  return criteria.map((description, level) => {
    if (!isEntry(description)) report(`${field}.${level}`, entryProblem);
    return { key: String(level), description };
  });
}

const isEntry = (value: OrderedJson): boolean => typeof value !== 'number' && typeof value !== 'boolean';

/** Cuts a key that is far too long for an id, so that the error message stays short. */
const shorten = (key: string): string =>
  key.length > 2 * limits.decisionQuestionIdCharacters
    ? `${key.slice(0, limits.decisionQuestionIdCharacters)}...`
    : key;
