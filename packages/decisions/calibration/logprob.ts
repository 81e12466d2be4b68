/** A probability of 0 counts as this much, so that one case that a model had ruled out does not decide a whole fit. */
export const leastProbability = 1e-30;

export const logprobOf = (probability: number): number => Math.log(Math.max(probability, leastProbability));
