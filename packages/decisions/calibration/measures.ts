import { mostLikely } from '../confidence.ts';
import type { QuestionType } from '../request.ts';

/** A probability of 0 counts as this much, so that one case that a model had ruled out does not decide a whole fit. */
export const leastProbability = 1e-30;

export const logprobOf = (probability: number): number => Math.log(Math.max(probability, leastProbability));

/** What a model said of a question, and the index of the option that is the right answer. */
export interface Judged {
  type: QuestionType;
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
  /**
   * 1 - Brier score / Brier score of the base rates: how often each option is the answer among these cases, by kind and number of
   * options. 0 for who knows no more than those, 1 for who is certain and right. Absent if the base rates are never wrong.
   */
  brierSkill?: number;
  /** Of a `noul` that is yes and one that is no, how often the first has the higher probability of yes. Absent without both. */
  auroc?: number;
  /** Of the `noul`s at the threshold or over it, the share that is yes. Absent without any. */
  precision?: number;
  /** Of the `noul`s that are yes, the share at the threshold or over it. Absent without any. */
  recall?: number;
  /** The mean over cases of the distance between their bin's confidence and its accuracy. */
  ece: number;
  /** The mean of -ln of the answer's probability. */
  nll: number;
  bins: Bin[];
}

const binCount = 10;

export const usualThreshold = 0.5;

/** Measures at least one case. From `threshold` on a `noul` counts as yes. docs/operate.md defines the measures. */
export function measure(cases: readonly Judged[], threshold = usualThreshold): Measures {
  const bins = fillBins(cases);
  const nouls = cases.flatMap(({ type, probabilities: [yes = 0], answer }) =>
    type === 'noul' ? { yes, isYes: answer === 0 } : [],
  );
  const gap = ({ cases: size, confidence = 0, accuracy = 0 }: Bin) => size * Math.abs(confidence - accuracy);
  return {
    accuracy: mean(cases, accuracyOf),
    brier: mean(cases, brierOf),
    brierSkill: skillOf(cases),
    auroc: aurocOf(nouls),
    ...precisionAndRecall(nouls, threshold),
    ece: bins.reduce((sum, bin) => sum + gap(bin), 0) / cases.length,
    nll: mean(cases, lossOf),
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

export const lossOf = ({ probabilities, answer }: Judged): number => -logprobOf(probabilities[answer] ?? 0);

const accuracyOf = ({ probabilities, answer }: Judged): number =>
  mostLikely(probabilities) === answer ? 1 : 0;

const brierOf = ({ probabilities, answer }: Judged): number =>
  probabilities.reduce(
    (sum, probability, option) => sum + (probability - (option === answer ? 1 : 0)) ** 2,
    0,
  );

/** Brier skill against the climatology of the sample (Wilks, *Statistical Methods in the Atmospheric Sciences*, chapter on forecast verification). */
function skillOf(cases: readonly Judged[]): number | undefined {
  const alike = Map.groupBy(cases, ({ type, probabilities }) => `${type} ${probabilities.length}`);
  const byBaseRates = [...alike.values()].flatMap((some) => {
    const rates = (some[0]?.probabilities ?? []).map((_, option) =>
      mean(some, ({ answer }) => (answer === option ? 1 : 0)),
    );
    return some.map((judged) => ({ ...judged, probabilities: rates }));
  });
  const reference = mean(byBaseRates, brierOf);
  return reference === 0 ? undefined : 1 - mean(cases, brierOf) / reference;
}

interface JudgedNoul {
  yes: number;
  isYes: boolean;
}

/**
 * The area under the ROC curve as the Mann-Whitney statistic, in which a tie is worth one half (Hanley and McNeil, *Radiology* 143,
 * 1982).
 */
function aurocOf(nouls: readonly JudgedNoul[]): number | undefined {
  const byProbability = [...Map.groupBy(nouls, ({ yes }) => yes)].sort(([one], [other]) => one - other);
  let below = 0;
  let won = 0;
  for (const [, tied] of byProbability) {
    const positives = tied.filter(({ isYes }) => isYes).length;
    const negatives = tied.length - positives;
    won += positives * (below + negatives / 2);
    below += negatives;
  }
  const pairs = (nouls.length - below) * below;
  return pairs === 0 ? undefined : won / pairs;
}

function precisionAndRecall(
  nouls: readonly JudgedNoul[],
  threshold: number,
): Pick<Measures, 'precision' | 'recall'> {
  const said = nouls.filter(({ yes }) => yes >= threshold);
  const right = said.filter(({ isYes }) => isYes).length;
  const positives = nouls.filter(({ isYes }) => isYes).length;
  return {
    precision: said.length === 0 ? undefined : right / said.length,
    recall: positives === 0 ? undefined : right / positives,
  };
}

const mean = <T>(items: readonly T[], figureOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + figureOf(item), 0) / items.length;
