import { UpstreamError } from '@errand/models';

const exact = 1e-9;
const tolerated = 1e-3;

/** As they are if they sum to 1 within 1e-9, normalised if within 1e-3, else `UpstreamError` `unreadable`. */
export function normaliseProbabilities(given: readonly unknown[]): number[] {
  const probabilities: number[] = [];
  let sum = 0;
  for (const value of given) {
    if (typeof value !== 'number' || !(value >= -exact && value <= 1 + tolerated))
      throw new UpstreamError('unreadable');
    probabilities.push(Math.max(0, value <= 1 + exact ? Math.min(1, value) : value));
    sum += value;
  }
  const distance = Math.abs(sum - 1);
  if (distance <= exact) return probabilities;
  if (distance > tolerated) throw new UpstreamError('unreadable');
  return probabilities.map((probability) => probability / sum);
}

/** Probabilities among these alone, from the logarithms of what they are among everything. */
export function fromLogarithms(logarithms: readonly number[]): number[] {
  const highest = Math.max(...logarithms);
  const weights = logarithms.map((logarithm) => Math.exp(logarithm - highest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
