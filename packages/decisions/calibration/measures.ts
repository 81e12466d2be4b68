import { mostLikely } from '../confidence.ts';

/** A probability of 0 counts as this much, so that one case that a model had ruled out does not decide a whole fit. */
export const leastProbability = 1e-30;

export const logprobOf = (probability: number): number => Math.log(Math.max(probability, leastProbability));

/** What a model said of a question, and the index of the option that is the right answer. */
export interface Judged {
  probabilities: readonly number[];
  answer: number;
}

/** The cases whose confidence, the highest probability, is in a range. The means are absent if there are none. */
export interface Bin {
  from: number;
  to: number;
  cases: number;
  /** The mean of the confidences. */
  confidence?: number;
  /** The share of cases whose most likely option was the answer. */
  accuracy?: number;
}

export interface Measures {
  accuracy: number;
  /** The mean over cases of the sum over options of (probability - outcome)². From 0 to 2. */
  brier: number;
  /** The mean over cases of the distance between their bin's confidence and its accuracy. */
  ece: number;
  /** The mean of -ln of the answer's probability. */
  nll: number;
  bins: Bin[];
}

const binCount = 10;

/** Measures at least one case. docs/operate.md defines the measures. */
export function measure(cases: readonly Judged[]): Measures {
  const bins = fillBins(cases);
  const gap = ({ cases: size, confidence = 0, accuracy = 0 }: Bin) => size * Math.abs(confidence - accuracy);
  return {
    accuracy: mean(cases, accuracyOf),
    brier: mean(cases, brierOf),
    ece: bins.reduce((sum, bin) => sum + gap(bin), 0) / cases.length,
    nll: mean(cases, ({ probabilities, answer }) => -logprobOf(probabilities[answer] ?? 0)),
    bins,
  };
}

function fillBins(cases: readonly Judged[]): Bin[] {
  const byBin = Map.groupBy(cases, (judged) =>
    Math.min(binCount - 1, Math.floor(confidenceOf(judged) * binCount)),
  );
  return Array.from({ length: binCount }, (_, index) => {
    const inside = byBin.get(index);
    return {
      from: index / binCount,
      to: (index + 1) / binCount,
      cases: inside?.length ?? 0,
      ...(inside && { confidence: mean(inside, confidenceOf), accuracy: mean(inside, accuracyOf) }),
    };
  });
}

const confidenceOf = ({ probabilities }: Judged): number => Math.max(...probabilities);

const accuracyOf = ({ probabilities, answer }: Judged): number =>
  mostLikely(probabilities) === answer ? 1 : 0;

const brierOf = ({ probabilities, answer }: Judged): number =>
  probabilities.reduce(
    (sum, probability, option) => sum + (probability - (option === answer ? 1 : 0)) ** 2,
    0,
  );

const mean = <T>(items: readonly T[], figureOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + figureOf(item), 0) / items.length;
