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

const report =
  '# Harbour report\n\nIt was windy.\n\n## Ships\n\nIn May 40 ships called.\n\n| Ships | Calls |\n| --- | --- |\n| Boats | 3 |\n\nFog was the cause of delays.';

test.each([
  [
    'a question of two parts',
    'How many ships called, and what caused delays?',
    ['In May 40 ships called.', 'Fog was the cause of delays.'],
  ],
  ['a question of one part', 'How many ships called in May?', ['In May 40 ships called.']],
  ['a question that a table answers', 'How many boats?', ['| Boats | 3 |']],
  ['a question that only a heading answers', 'Sum up the harbour report.', ['It was windy.']],
  ['a question about something else', 'Is there cheese?', ['It was windy.']],
])('%s is answered in prose if the text has prose', (_what, question, quotes) => {
  expect(findQuotes(report, question)).toEqual(quotes);
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
