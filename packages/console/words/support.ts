/** What the support of a claim is called, from which probability on. The service has claims under 0.5 mended, unless its operator chose otherwise. */
const supportWords = [
  { from: 0.8, words: 'well supported', tone: 'good' },
  { from: 0.5, words: 'supported', tone: 'good' },
  { from: 0.2, words: 'weakly supported', tone: 'warm' },
  { from: 0, words: 'not supported', tone: 'bad' },
] as const;

/** As a number and in words. The number is rounded down so that it fits the words. */
export function describeSupport(support: number): {
  text: string;
  tone: (typeof supportWords)[number]['tone'];
} {
  const { words, tone } = supportWords.find(({ from }) => support >= from) ?? supportWords.at(-1)!;
  return { text: `${(Math.floor(support * 100 + 1e-9) / 100).toFixed(2)}, ${words}`, tone };
}
