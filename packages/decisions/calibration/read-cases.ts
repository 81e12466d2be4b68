import {
  checkJsonSize,
  DomainError,
  describeIssue,
  fieldIssue,
  isDomainError,
  type OrderedJson,
  type OrderedObject,
  parseOrderedJson,
} from '@errand/platform';
import { readRequest } from '../dialects/system-one/read-request.ts';
import type { DecisionRequest, Question, QuestionType } from '../request.ts';

/** A question whose answer is known. */
export interface Case {
  /** Counted from 1. */
  line: number;
  type: QuestionType;
  /** Cases of one group are held out of a fit together. */
  group?: string;
  request: DecisionRequest;
  /** The index of the answer among the question's options. */
  answer: number;
}

interface CaseProblem {
  line: number;
  problem: string;
}

const defaultId = 'question';

/** Reads JSON Lines of `{ state, question, answer, id?, group? }`, and finds every problem. Empty lines count for nothing. */
export function readCases(text: string): { cases: Case[]; problems: CaseProblem[] } {
  const cases: Case[] = [];
  const problems: CaseProblem[] = [];
  for (const [index, content] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (content.trim() === '') continue;
    const line = index + 1;
    try {
      cases.push({ line, ...readCase(content) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      problems.push(...describeProblems(error).map((problem) => ({ line, problem })));
    }
  }
  return { cases, problems };
}

function readCase(text: string): Omit<Case, 'line'> {
  checkJsonSize(text);
  const { value, issue } = parseOrderedJson(text);
  if (issue) throw new DomainError('invalid_request', { issues: [issue] });
  if (!(value instanceof Map)) throw fieldIssue('', 'must be an object');
  const id = value.get('id') ?? defaultId;
  if (typeof id !== 'string') throw fieldIssue('id', 'must be a string');
  const group = value.get('group') ?? undefined;
  if (group !== undefined && typeof group !== 'string' && typeof group !== 'number')
    throw fieldIssue('group', 'must be a string or a number');
  const request = readQuestion(value, id);
  const [question] = request.questions;
  const answer = value.get('answer');
  if (!question || answer === undefined) throw fieldIssue('answer', 'is required');
  const option = question.options.findIndex(({ key }) => key === keyOf(question, answer));
  if (option < 0) throw fieldIssue('answer', answerProblem(question));
  return { type: question.type, group: group?.toString(), request, answer: option };
}

function readQuestion(value: OrderedObject, id: string): DecisionRequest {
  const question = value.get('question');
  if (question === undefined) throw fieldIssue('question', 'is required');
  const state = value.get('state');
  const fields: OrderedObject = new Map([['questions', new Map([[id, question]])]]);
  if (state !== undefined) fields.set('state', state);
  try {
    return readRequest(fields);
  } catch (error) {
    if (!isDomainError(error, 'invalid_request')) throw error;
    const place = `questions.${id}`;
    throw new DomainError('invalid_request', {
      issues: error.details.issues.map(({ field, problem }) => ({
        field: field.startsWith(place) ? `question${field.slice(place.length)}` : field,
        problem,
      })),
    });
  }
}

/** The key of the option that an answer names. */
function keyOf({ type }: Question, answer: OrderedJson): string | undefined {
  const wanted = { noul: 'boolean', choice: 'string', score: 'number' } as const;
  return typeof answer === wanted[type] ? String(answer) : undefined;
}

function answerProblem({ type, options }: Question): string {
  if (type === 'noul') return 'must be true or false';
  if (type === 'choice') return 'must be the key of one of the options';
  return `must be the number of a level, from 0 to ${options.length - 1}`;
}

function describeProblems(error: DomainError): string[] {
  if (isDomainError(error, 'invalid_request')) return error.details.issues.map(describeIssue);
  return [error.code === 'nested_too_deep' ? 'is nested too deep' : 'is not JSON'];
}
