import { describe, it } from 'vitest';
import { expectLinear } from '../../../test/support/linear-time.ts';
import { citedClaims } from './cited-claims.ts';
import { countUncited } from './uncited-sentences.ts';

const known = new Set([2]);
const read = (text: string) => [citedClaims(text, known), countUncited(text, known)];

/**
 * Texts on which markdown readers take quadratic time. Each has a marker, because paragraphs without a marker are
 * skipped.
 */
const hostile: Record<string, (length: number) => string> = {
  markers: (length) => '[1]'.repeat(length / 3),
  'markers with dots': (length) => 'A. [1] '.repeat(length / 7),
  'markers at the ends of rows': (length) => '| a [1] |\n'.repeat(length / 10),
  'open brackets': (length) => `[1]${'['.repeat(length)}`,
  'nested brackets': (length) => `[1]${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
  'nested links': (length) => `[1]${'[a]('.repeat(length / 5)}${')'.repeat(length / 5)}`,
  'nested links that end in words': (length) =>
    `[1]${'[a]('.repeat(length / 5)} b c${')'.repeat(length / 5)}`,
  'links of spaces': (length) => `[1]${'[a](a'.repeat(length / 10)}${' '.repeat(length / 2)}b)`,
  'definitions in one line': (length) => '[1]: '.repeat(length / 5),
  backticks: (length) => {
    const runs = Array.from({ length: Math.sqrt(length) }, (_, i) => '`'.repeat(i + 1));
    return `[1] ${runs.join(' ')}`;
  },
  'backticks of one length': (length) => `[1] ${'`` a ` '.repeat(length / 7)}`,
  backslashes: (length) => `${'\\'.repeat(length)}[1]`,
  'backslashes before brackets': (length) => '\\[1]'.repeat(length / 4),
  'lines of spaces': (length) => `[1]${' '.repeat(length)}x [1]`,
  'spaces before a marker': (length) => `a${' '.repeat(length)}[1].`,
  'quotation signs': (length) => `${'> '.repeat(length / 2)}[1]`,
  'dots and closing signs': (length) => `[1] a${'.)'.repeat(length / 2)}`,
  'lines with markers': (length) => 'a [1]\n'.repeat(length / 6),
  fences: (length) => 'a [1]\n\n```\n\n```\n'.repeat(length / 16),
  'markers glued to names': (length) => 'a[1][1] '.repeat(length / 8),
  'a long name': (length) => `${'a'.repeat(length)}[1] =`,
  'spaces between markers': (length) => `[1]${' '.repeat(30)}`.repeat(length / 33),
  'objects that break off': (length) => `[1] ${'{"a":'.repeat(length / 5)}`,
  'lists that break off': (length) => `[1] ${'[['.repeat(length / 2)}`,
  'texts that break off': (length) => `[1] ${'["\\"'.repeat(length / 4)}`,
  'nested objects': (length) => `[1] ${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`,
  'sums of money': (length) => '$5 [1] '.repeat(length / 7),
  'formulas that are not closed': (length) => `[1] ${'\\( \\[ $$ '.repeat(length / 9)}`,
  'links that break off': (length) => '[1][a](b '.repeat(length / 9),
  'short code': (length) => `[1]${'`a'.repeat(length / 2)}`,
  'words in capitals': (length) => `[1] ${'a, A '.repeat(length / 5)}`,
  addresses: (length) => `${'https://a.b/'.repeat(3)}[1]a `.repeat(length / 41),
};

describe('the time in which citations are found', () => {
  it.each(Object.entries(hostile))(
    'grows with the size of the answer, not with its square: %s',
    async (_, make) => {
      await expectLinear(make, read);
    },
  );

  it('and with an answer of a server that keeps to no limit', async () => {
    await expectLinear(hostile.markers!, read, 1_600_000);
  });
});
