import { DomainError, describeIssue } from '@errand/platform';
import { describe, expect, it } from 'vitest';
import { requestOf } from '../../test-support/models.ts';

const noul = { type: 'noul' };
const withQuestion = (question: unknown) => ({ state: 'x', questions: { q: question } });
const choice = (options: number) =>
  withQuestion({
    type: 'choice',
    criteria: Object.fromEntries(Array.from({ length: options }, (_, i) => [`o${i}`, null])),
  });
const score = (levels: number) => withQuestion({ type: 'score', criteria: Array(levels).fill('x') });
const questions = (count: number) => ({
  state: null,
  questions: Object.fromEntries(Array.from({ length: count }, (_, i) => [`q${i}`, noul])),
});

function problemsOf(body: unknown): string[] {
  try {
    requestOf(body);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_request')
      return (error as DomainError<'invalid_request'>).details.issues.map(describeIssue);
    throw error;
  }
  return [];
}

describe('a decision request is accepted', () => {
  it.each([
    ['1 question', questions(1)],
    ['32 questions', questions(32)],
    ['an id of 1 character', { state: 'x', questions: { a: noul } }],
    ['an id of 128 characters', { state: 'x', questions: { ['é'.repeat(128)]: noul } }],
    [
      'an id of 128 characters outside of the basic plane',
      { state: 'x', questions: { ['😀'.repeat(128)]: noul } },
    ],
    ['2 options', choice(2)],
    ['255 options', choice(255)],
    ['2 levels', score(2)],
    ['10 levels', score(10)],
    ['a state that is null', { state: null, questions: { q: noul } }],
    ['a state that is an array', { state: [1, 'a'], questions: { q: noul } }],
    [
      'empty strings',
      { state: '', questions: { q: { type: 'choice', instructions: '', criteria: { '': '', b: '' } } } },
    ],
    [
      'unknown fields',
      { state: 'x', more: 1, questions: { q: { ...noul, more: 1, criteria: { maybe: 7 } } } },
    ],
    ['criteria that are null on a noul', withQuestion({ ...noul, criteria: null })],
    ['one key of a noul', withQuestion({ ...noul, criteria: { false: 'no way' } })],
    ['names that every object has', { state: 'x', questions: { constructor: noul, toString: noul } }],
  ])('with %s', (_, body) => {
    expect(problemsOf(body)).toEqual([]);
  });
});

describe('a decision request is refused, with the question and the field,', () => {
  it.each([
    ['without a state', { questions: { q: noul } }, 'state: is required'],
    [
      'for a state that is a number',
      { state: 7, questions: { q: noul } },
      'state: must be a string, an object, an array or null',
    ],
    [
      'for a state that is true',
      { state: true, questions: { q: noul } },
      'state: must be a string, an object, an array or null',
    ],
    ['without questions', { state: 'x' }, 'questions: is required'],
    ['for questions in an array', { state: 'x', questions: [noul] }, 'questions: must be an object'],
    ['for no question', questions(0), 'questions: must have 1 to 32 entries'],
    ['for 33 questions', questions(33), 'questions: must have 1 to 32 entries'],
    [
      'for an empty id',
      { state: 'x', questions: { '': noul } },
      "questions.: a question's id must have 1 to 128 characters",
    ],
    [
      'for an id of 129 characters',
      { state: 'x', questions: { ['a'.repeat(129)]: noul } },
      `questions.${'a'.repeat(129)}: a question's id must have 1 to 128 characters`,
    ],
    ['for a question that is null', withQuestion(null), 'questions.q: must be an object'],
    ['without a type', withQuestion({}), 'questions.q.type: must be noul, choice or score'],
    ['for another type', withQuestion({ type: 'bool' }), 'questions.q.type: must be noul, choice or score'],
    [
      'for instructions that are a number',
      withQuestion({ ...noul, instructions: 1 }),
      'questions.q.instructions: must be a string, an object, an array or null',
    ],
    [
      'for criteria of a noul in an array',
      withQuestion({ ...noul, criteria: [] }),
      'questions.q.criteria: must be an object or null',
    ],
    [
      'for a description that is false',
      withQuestion({ ...noul, criteria: { true: false } }),
      'questions.q.criteria.true: must be a string, an object, an array or null',
    ],
    [
      'for a choice without criteria',
      withQuestion({ type: 'choice' }),
      'questions.q.criteria: must be an object from option to description',
    ],
    [
      'for a choice from an array',
      withQuestion({ type: 'choice', criteria: ['a', 'b'] }),
      'questions.q.criteria: must be an object from option to description',
    ],
    ['for 1 option', choice(1), 'questions.q.criteria: must have 2 to 255 options'],
    ['for 256 options', choice(256), 'questions.q.criteria: must have 2 to 255 options'],
    [
      'for an option that is a number',
      withQuestion({ type: 'choice', criteria: { a: 1, b: null } }),
      'questions.q.criteria.a: must be a string, an object, an array or null',
    ],
    [
      'for a score without criteria',
      withQuestion({ type: 'score', criteria: null }),
      'questions.q.criteria: must be an array of descriptions, lowest level first',
    ],
    [
      'for a score from an object',
      withQuestion({ type: 'score', criteria: { 0: 'a' } }),
      'questions.q.criteria: must be an array of descriptions, lowest level first',
    ],
    ['for 1 level', score(1), 'questions.q.criteria: must have 2 to 10 levels'],
    ['for 11 levels', score(11), 'questions.q.criteria: must have 2 to 10 levels'],
    [
      'for a level that is true',
      withQuestion({ type: 'score', criteria: ['a', true] }),
      'questions.q.criteria.1: must be a string, an object, an array or null',
    ],
  ])('%s', (_, body, problem) => {
    expect(problemsOf(body)).toEqual([problem]);
  });

  it('with every problem at once', () => {
    const body = { state: 1, questions: { a: { type: 'choice' }, b: { type: 'score' }, c: 7 } };
    expect(problemsOf(body)).toHaveLength(4);
  });
});
