import { expect, test } from 'vitest';
import { readCases } from './read-cases.ts';

const noul = { type: 'noul', instructions: 'Is it late?' };
const choice = { type: 'choice', criteria: { b: 'the second', 7: null } };
const score = { type: 'score', criteria: ['low', 'middle', 'high'] };

const linesOf = (...cases: unknown[]) =>
  cases.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');

test('a case of each kind is read with the option that its answer names', () => {
  const { cases, problems } = readCases(
    linesOf(
      { state: 'x', question: noul, answer: false },
      '',
      '{"state":null,"question":{"type":"choice","criteria":{"b":null,"7":"seven"}},"answer":"7"}',
      { state: { a: 1 }, question: score, answer: 2, note: 'ignored' },
    ),
  );
  expect(problems).toEqual([]);
  expect(cases.map(({ line, type, answer }) => [line, type, answer])).toEqual([
    [1, 'noul', 1],
    [3, 'choice', 1],
    [4, 'score', 2],
  ]);
  expect(cases[1]?.request.questions[0]?.options.map(({ key }) => key)).toEqual(['b', '7']);
});

test('a question has the id of its case, which a model reads in place of instructions', () => {
  const { cases } = readCases(
    linesOf(
      { state: 'x', question: score, answer: 0, id: 'urgency' },
      { state: 'x', question: score, answer: 0 },
    ),
  );
  expect(cases.map(({ request }) => request.questions[0]?.id)).toEqual(['urgency', 'question']);
});

test('a case has the group that it names, as a text', () => {
  const one = { state: 'x', question: noul, answer: true };
  const { cases } = readCases(
    linesOf({ ...one, group: 'shop' }, { ...one, group: 7 }, { ...one, group: null }, one),
  );
  expect(cases.map(({ group }) => group)).toEqual(['shop', '7', undefined, undefined]);
});

test('every problem is told with its line', () => {
  const deep = `{"state":${'['.repeat(1_100)}`;
  const { problems } = readCases(
    linesOf(
      '{"state":',
      [1],
      { state: 'x', question: noul, answer: 'true' },
      { state: 'x', question: choice, answer: 'c' },
      { state: 'x', question: score, answer: 3 },
      { state: 'x', question: score, answer: 0.5 },
      { state: 'x', question: noul },
      { state: 'x', answer: true },
      { question: { type: 'choice', criteria: { only: 1 } }, answer: 'only' },
      { state: 'x', question: noul, answer: true, id: 5 },
      { state: 'x', question: noul, answer: true, group: [1] },
      '{"state":{"__proto__":1},"question":{"type":"noul"},"answer":true}',
      deep,
    ),
  );
  expect(problems.map(({ line, problem }) => `${line} ${problem}`)).toEqual([
    '1 is not JSON',
    '2 must be an object',
    '3 answer: must be true or false',
    '4 answer: must be the key of one of the options',
    '5 answer: must be the number of a level, from 0 to 2',
    '6 answer: must be the number of a level, from 0 to 2',
    '7 answer: is required',
    '8 question: is required',
    '9 state: is required',
    '9 question.criteria: must have 2 to 255 options',
    '10 id: must be a string',
    '11 group: must be a string or a number',
    '12 state: may not have the key __proto__',
    '13 is nested too deep',
  ]);
});

test('a byte order mark and Windows line ends are no problem', () => {
  const text = `\uFEFF${linesOf({ state: 'x', question: noul, answer: true })}\r\n\r\n`;
  expect(readCases(text)).toMatchObject({ problems: [], cases: [{ line: 1, answer: 0 }] });
});
