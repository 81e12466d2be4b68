/** How far the chosen option stands out: 0 when all are equal, 1 when one has all probability. */
export function choiceConfidence(probabilities: readonly number[]): number {
  const even = 1 / probabilities.length;
  return toUnit((Math.max(...probabilities) - even) / (1 - even));
}

/** How close to its mode the distribution lies: 0 when spread as widely as equal probabilities or wider. */
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

/** Index of the largest; of equal ones the first, which is the first option as sent or the lowest level. */
export const mostLikely = (probabilities: readonly number[]): number =>
  probabilities.indexOf(Math.max(...probabilities));

/** Rounding may carry a confidence a hair outside of 0 to 1. */
const toUnit = (confidence: number): number => Math.min(1, Math.max(0, confidence));
