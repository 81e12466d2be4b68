import { temperatureBounds } from '@errand/models';
import { probabilitiesAt } from '../probabilities.ts';

/** The logprobs of a question's options at temperature 1, and the index of the right one. */
export interface Sample {
  logprobs: readonly number[];
  answer: number;
}

const halvings = 60;
const digits = 4;

/**
 * The temperature at which the answers are most likely, with four digits. The likelihood has one maximum, because its logarithm
 * is concave in 1/temperature; it is found by halving the logarithmic range of `temperatureBounds`. It is 1 if no sample
 * prefers an option.
 */
export function fitTemperature(samples: readonly Sample[]): number {
  const telling = samples.filter(({ logprobs }) => Math.max(...logprobs) > Math.min(...logprobs));
  if (telling.length === 0) return 1;
  let low = Math.log(temperatureBounds.least);
  let high = Math.log(temperatureBounds.most);
  for (let step = 0; step < halvings; step++) {
    const middle = (low + high) / 2;
    if (overconfidence(telling, Math.exp(middle)) > 0) low = middle;
    else high = middle;
  }
  return Number(Math.exp((low + high) / 2).toPrecision(digits));
}

/** True if the best temperature lies beyond the bounds, or if there is none. */
export const isAtBound = (temperature: number): boolean =>
  temperature <= temperatureBounds.least || temperature >= temperatureBounds.most;

/**
 * The slope of the negative log-likelihood in 1/temperature: the mean logprob that the model expects minus the
 * logprob of the right option.
 */
function overconfidence(samples: readonly Sample[], temperature: number): number {
  let sum = 0;
  for (const { logprobs, answer } of samples) {
    const expected = probabilitiesAt(logprobs, temperature).reduce(
      (total, probability, option) => total + probability * (logprobs[option] ?? 0),
      0,
    );
    sum += expected - (logprobs[answer] ?? 0);
  }
  return sum;
}
