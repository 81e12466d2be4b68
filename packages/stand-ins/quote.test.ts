import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findQuotes, sentencesOf } from './quote.ts';

test('a sentence that was wrapped in the middle stays whole, a new line begins a new one', () => {
  expect(sentencesOf('# Title\nThe total of all\nsales is 99. Next one.\n- Item\n2. Cats')).toEqual([
    '# Title',
    'The total of all\nsales is 99.',
    'Next one.',
    '- Item',
    '2. Cats',
  ]);
});

test('two sentences that fit equally well are both quoted', () => {
  const text = 'Paris has towers. Rome has ruins. Lyon has towers.';
  expect(findQuotes(text, 'Which city has towers?')).toEqual(['Paris has towers.', 'Lyon has towers.']);
});

test('every quote stands in the text as it is', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'B', ' ', '.', '!', '\n', '"', 'é', '😀'),
    maxLength: 900,
  });
  fc.assert(
    fc.property(text, fc.string(), (source, question) => {
      for (const quote of findQuotes(source, question)) expect(source).toContain(quote);
    }),
  );
});
