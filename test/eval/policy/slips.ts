import { fractionOf } from '../random.ts';

/** The share of the figures in a report that the policy gets wrong. */
const slipRate = 0.35;

/** The sentence as the policy writes it in a report: some figures are wrong, always the same ones. */
export function withSlip(sentence: string): string {
  if (fractionOf(sentence) >= slipRate) return sentence;
  return sentence.replace(/\d(?=[^\d]*$|[\d,]* (?:crowns|people))/, (digit) =>
    String((Number(digit) + 3) % 10 || 4),
  );
}
