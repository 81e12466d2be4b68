import { expect, test } from 'vitest';
import { citedClaims } from './citations.ts';

test('claims are read from the citations of a run', () => {
  const answer = 'A has 3 legs [1]. B has 4.';
  expect(
    citedClaims(answer, [{ type: 'file_citation', filename: 'a.txt', startIndex: 0, endIndex: 16 }]),
  ).toEqual([{ text: 'A has 3 legs', sources: ['a.txt'] }]);
});

test('without them, from the numbers and the list of sources', () => {
  const answer = 'A has 3 legs [1]. B has 4. C has 5 [1][2].\n\nSources:\n[1] https://a.test/x\n[2] b.pdf';
  expect(citedClaims(answer, undefined)).toEqual([
    { text: 'A has 3 legs.', sources: ['https://a.test/x'] },
    { text: 'C has 5.', sources: ['https://a.test/x', 'b.pdf'] },
  ]);
});
