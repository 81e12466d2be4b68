import { type Model, UpstreamError } from '@errand/models';
import type { Question } from './request.ts';

const exact = 1e-9;
const tolerated = 1e-3;

/**
 * Returns the probabilities unchanged if they sum to 1 within 1e-9, and divided by their sum if within 1e-3. Throws
 * `UpstreamError` `unreadable` for anything else.
 */
export function normaliseProbabilities(values: readonly unknown[]): number[] {
  const probabilities: number[] = [];
  let sum = 0;
  for (const value of values) {
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

/** The probabilities of yes and of no, from that of yes. Throws what `normaliseProbabilities` throws. */
export const yesNo = (yes: unknown): number[] =>
  normaliseProbabilities([yes, typeof yes === 'number' ? 1 - yes : yes]);

/** The probabilities of these tokens alone, which sum to 1, from their logprobs among all tokens. */
export function normaliseLogprobs(logprobs: readonly number[]): number[] {
  const highest = Math.max(...logprobs);
  const weights = logprobs.map((logprob) => Math.exp(logprob - highest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/**
 * The probabilities of options whose logprobs are divided by the temperature. Over 1 it makes a model less sure, under 1 more
 * sure; 1 changes no bit. The most likely option stays the most likely one, unless an offset is added to the first option's.
 */
export const probabilitiesAt = (logprobs: readonly number[], temperature = 1, offset = 0): number[] =>
  normaliseLogprobs(logprobs.map((logprob, option) => logprob / temperature + (option === 0 ? offset : 0)));

/** The probabilities of a question's options as the catalogue calibrates them. Only a `noul` has the offset, on its log-odds of yes. */
export const calibrate = (
  { type }: Pick<Question, 'type'>,
  logprobs: readonly number[],
  { temperature, offset }: Partial<NonNullable<Model['calibration']>> = {},
): number[] => probabilitiesAt(logprobs, temperature, type === 'noul' ? offset : 0);
