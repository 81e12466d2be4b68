import { mostOffset, temperatureBounds } from '@errand/models';
import { calibrate } from '../probabilities.ts';
import type { QuestionType } from '../request.ts';

/** The uncalibrated logprobs of a question's options, and the index of the right one. */
export interface Sample {
  type: QuestionType;
  logprobs: readonly number[];
  answer: number;
}

/** What an entry of the catalogue has as its `calibration`. */
export interface Fit {
  temperature: number;
  /** Added to the log-odds of yes in a `noul`. */
  offset?: number;
}

/** Narrows a range of 40 to less than the fourth digit. */
const halvings = 30;
const digits = 4;

/**
 * The temperature at which the answers are most likely, with four digits. The likelihood has one maximum, because its logarithm
 * is concave in 1/temperature; it is found by halving the logarithmic range of `temperatureBounds`. It is 1 if no sample
 * prefers an option.
 */
export const fitTemperature = (samples: readonly Sample[]): number => bestTemperature(samples, () => 0);

/**
 * The temperature and the offset at which the answers are most likely, both with four digits: Platt's slope and intercept on the
 * log-odds of yes (*Probabilistic Outputs for Support Vector Machines*, 1999), whose slope all other kinds share. The
 * log-likelihood is concave in 1/temperature and the offset together, and therefore in 1/temperature at the best offset for it,
 * where its slope is that at a fixed offset.
 */
export function fitWithOffset(samples: readonly Sample[]): Required<Fit> {
  const nouls = samples.flatMap(({ type, logprobs: [yes = 0, no = 0], answer }) =>
    type === 'noul' ? { logOdds: yes - no, isYes: answer === 0 } : [],
  );
  const temperature = bestTemperature(samples, (tried) => bestOffset(nouls, tried));
  return { temperature, offset: Number(bestOffset(nouls, temperature).toFixed(digits)) };
}

/** True if the best fit lies beyond the bounds, or if there is none. */
export const isAtBound = ({ temperature, offset = 0 }: Fit): boolean =>
  temperature <= temperatureBounds.least ||
  temperature >= temperatureBounds.most ||
  Math.abs(offset) >= mostOffset;

function bestTemperature(samples: readonly Sample[], offsetAt: (temperature: number) => number): number {
  const telling = samples.filter(({ logprobs }) => Math.max(...logprobs) > Math.min(...logprobs));
  if (telling.length === 0) return 1;
  const { least, most } = temperatureBounds;
  const middle = halve(Math.log(least), Math.log(most), (tried) => {
    const temperature = Math.exp(tried);
    return overconfidence(telling, { temperature, offset: offsetAt(temperature) }) > 0;
  });
  return Number(Math.exp(middle).toPrecision(digits));
}

interface Noul {
  logOdds: number;
  isYes: boolean;
}

/** At the best offset as many answers are expected to be yes as are. */
function bestOffset(nouls: readonly Noul[], temperature: number): number {
  if (nouls.length === 0) return 0;
  return halve(-mostOffset, mostOffset, (offset) => {
    let missing = 0;
    for (const { logOdds, isYes } of nouls)
      missing += (isYes ? 1 : 0) - 1 / (1 + Math.exp(-logOdds / temperature - offset));
    return missing > 0;
  });
}

/** Where `isTooLow` turns false. */
function halve(from: number, to: number, isTooLow: (middle: number) => boolean): number {
  let low = from;
  let high = to;
  for (let step = 0; step < halvings; step++) {
    const middle = (low + high) / 2;
    if (isTooLow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The slope of the negative log-likelihood in 1/temperature: the mean logprob that the model expects minus the
 * logprob of the right option.
 */
function overconfidence(samples: readonly Sample[], fit: Fit): number {
  let sum = 0;
  for (const sample of samples) {
    const { logprobs, answer } = sample;
    const expected = calibrate(sample, logprobs, fit).reduce(
      (total, probability, option) => total + probability * (logprobs[option] ?? 0),
      0,
    );
    sum += expected - (logprobs[answer] ?? 0);
  }
  return sum;
}
