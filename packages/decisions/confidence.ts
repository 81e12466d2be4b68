/**
 * Confidence of a choice among n options: (highest - 1/n) / (1 - 1/n), where `highest` is the largest probability.
 * It is 0 if all options are equal, and 1 if one has all the probability.
 */
export function choiceConfidence(probabilities: readonly number[]): number {
  const even = 1 / probabilities.length;
  return toUnit((Math.max(...probabilities) - even) / (1 - even));
}

/**
 * Confidence of a score: 1 minus the mean distance from the most likely level, divided by the mean distance of evenly
 * spread levels from their middle. It is 1 if one level has all the probability, and 0 if the levels are spread evenly
 * or wider.
 */
export function scoreConfidence(probabilities: readonly number[]): number {
  const mode = mostLikely(probabilities);
  const middle = (probabilities.length - 1) / 2;
  let spread = 0;
  let evenSpread = 0;
  for (const [level, probability] of probabilities.entries()) {
    spread += probability * Math.abs(level - mode);
    evenSpread += Math.abs(level - middle) / probabilities.length;
  }
  return toUnit(1 - spread / evenSpread);
}

/** The index of the largest probability. In a tie it is the first: the first option as sent, or the lowest level. */
export const mostLikely = (probabilities: readonly number[]): number =>
  probabilities.indexOf(Math.max(...probabilities));

/** The expected level of a score: the sum of each level times its probability. */
export const expectedLevel = (probabilities: readonly number[]): number =>
  probabilities.reduce((sum, probability, level) => sum + level * probability, 0);

/** Rounding errors may put a confidence slightly outside of 0 to 1. */
const toUnit = (confidence: number): number => Math.min(1, Math.max(0, confidence));
