import { expect, test } from 'vitest';
import { partOf } from './page.ts';

const marks = ['<!-- a -->', '<!-- end of a -->'] as const;

test('a part is what stands between its marks, and the rest of the page is around it', () => {
  const part = partOf('one <!-- a -->two<!-- end of a --> three', marks);
  expect(part).toEqual({ before: 'one <!-- a -->', inside: 'two', after: '<!-- end of a --> three' });
});

test.each([
  ['begins no part', 'two <!-- end of a -->'],
  ['ends no part', '<!-- a --> two'],
  ['ends a part before it begins', '<!-- end of a --> two <!-- a -->'],
  ['has a part twice', '<!-- a --><!-- end of a --> <!-- a --><!-- end of a -->'],
])('a page that %s is not written', (_, text) => {
  expect(() => partOf(text, marks)).toThrow('must have these marks once each: <!-- a --> <!-- end of a -->');
});
