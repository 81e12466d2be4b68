import { normaliseLogprobs } from '../probabilities.ts';

/**
 * The probabilities of options whose logprobs are divided by the temperature. Over 1 it makes a model less sure, under 1 more
 * sure; 1 changes no bit. The most likely option stays the most likely one.
 */
export const probabilitiesAt = (logprobs: readonly number[], temperature = 1): number[] =>
  normaliseLogprobs(logprobs.map((logprob) => logprob / temperature));

/** A probability of 0 counts as this much, so that one case that a model had ruled out does not decide a whole fit. */
export const leastProbability = 1e-30;

export const logprobOf = (probability: number): number => Math.log(Math.max(probability, leastProbability));
