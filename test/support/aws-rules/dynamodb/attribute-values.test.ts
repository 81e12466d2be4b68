import { putOf, type Row, taken, testRows } from '../test-tables.ts';
import { attributeValueProblems } from './attribute-values.ts';

const value = (what: string, verdict: string, a: object): Row => [what, verdict, 'PutItem', putOf({ a })];
const nested = (levels: number): object => (levels === 0 ? { S: 'x' } : { L: [nested(levels - 1)] });

testRows(attributeValueProblems, [
  value('texts, truths and nulls', taken, { M: { s: { S: '' }, t: { BOOL: false }, n: { NULL: true } } }),
  value('38 digits', taken, { N: `-${'9'.repeat(38)}` }),
  value('zeros around 38 digits', taken, { N: `00${'9'.repeat(38)}00.000` }),
  value('39 digits', 'a has 39 digits', { N: `1${'2'.repeat(38)}` }),
  value('39 digits behind the point', 'a has 39 digits', { N: `0.1${'2'.repeat(38)}` }),
  value('zero', taken, { N: '0' }),
  value('the largest and the smallest', taken, { L: [{ N: '9.9e125' }, { N: '1E-130' }] }),
  value('a number too large', 'out of range', { N: '1e126' }),
  value('a number too small', 'out of range', { N: '-1e-131' }),
  value('what is no number', 'a is "NaN"', { N: 'NaN' }),
  value('an empty set', 'a is empty', { SS: [] }),
  value('a set with a member twice', 'a member twice', { NS: ['1', '1.0'] }),
  value('sets', taken, { M: { s: { SS: ['a', ''] }, n: { NS: ['1', '2'] }, b: { BS: [Buffer.from('b')] } } }),
  value('32 levels', taken, nested(32)),
  value('33 levels', 'deeper than 32', nested(33)),
  value('two types', 'has 2 types', { S: 'a', N: '1' }),
  value('an empty name', 'one is empty', { M: { '': { S: 'x' } } }),
  [
    'an empty set among values',
    ':v is empty',
    'UpdateItem',
    { ExpressionAttributeValues: { ':v': { NS: [] } } },
  ],
]);
