import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectLinear } from '../../../test/support/linear-time.ts';
import { quoteOf } from './quote.ts';

const report = `# Harbour depot, third quarter

## Energy
Electricity came to 41,800 EUR, 9 % more than in the second quarter. Heating came to 12,300 EUR.
Two thirds of the electricity is cooling: the doors of hall B stand open
for four hours on a working day.

| Measure | Cost |
|---|---|
| Fast doors | 18,000 EUR |
| Set point | none |

- Dr. Ruth Meyer leads the depot, e.g. in August.
- Fourteen drivers work there.`;

describe('the quote of a passage', () => {
  test.each([
    ['Heating cost 12,300 EUR', 'Heating came to 12,300 EUR.'],
    [
      'The depot spent 41,800 EUR on electricity and 12,300 EUR on heating',
      'Electricity came to 41,800 EUR, 9 % more than in the second quarter. Heating came to 12,300 EUR.',
    ],
    [
      'The doors of hall B stand open for four hours',
      'Two thirds of the electricity is cooling: the doors of hall B stand open\nfor four hours on a working day.',
    ],
    ['Fast doors cost 18,000 EUR', 'Fast doors | 18,000 EUR'],
    ['There are fourteen drivers', 'Fourteen drivers work there.'],
    ['Ruth Meyer is the leader', 'Dr. Ruth Meyer leads the depot, e.g. in August.'],
  ])('for %j are the words that say it', (claim, quote) => {
    expect(quoteOf(report, claim)).toBe(quote);
  });

  test('is a sentence in scripts without blanks too', () => {
    const rules = '船舶进入港口前必须报告。违约金为每周百分之四。其他规定如下。';
    expect(quoteOf(rules, '违约金是百分之四')).toBe('违约金为每周百分之四。');
  });

  test('is absent where no word of the claim is there', () => {
    expect(quoteOf(report, 'A zeppelin landed')).toBeUndefined();
    expect(quoteOf('', 'A')).toBeUndefined();
  });

  test('stands in the passage as it is, with a word at its beginning', () => {
    const piece = fc.constantFrom(
      'A is 5',
      '. ',
      '。',
      '\n',
      '\n\n',
      '- ',
      '| ',
      '1. ',
      '# ',
      ' ',
      'water ',
      'Dr. ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const passage = pieces.join('');
        const quote = quoteOf(passage, 'A is 5 in water');
        expect(quote === undefined || (passage.includes(quote) && quote.trim() === quote)).toBe(true);
        expect(quote === undefined).toBe(!/\b5(?!\w)|\bwater/.test(passage));
      }),
    );
  });
});

test('looking for a quote in hostile texts takes linear time', async () => {
  for (const piece of ['a', '. ', '\n', '| ', '| |x', '。', '1. ', '\n\nA', ' \t', '"\'', '> '])
    await expectLinear(
      (length) => piece.repeat(length / piece.length),
      (text) => {
        for (let from = 0; from < text.length; from += 8_000) quoteOf(text.slice(from), 'a 1 x');
      },
      100_000,
    );
});
