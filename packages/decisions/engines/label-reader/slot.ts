import type { ModelUpstream } from '@errand/models';
import type { Asking } from '../engine.ts';
import type { Layout } from './lay-out.ts';

/** The probabilities of tokens at one slot, as a server returned them. */
export interface Slot {
  /** The natural logarithm of each token's probability, by token id. */
  logprobs: ReadonlyMap<number, number>;
  /**
   * Bounds for tokens that the server left out, if it returns only the likeliest: none of them has a higher logprob,
   * and together they have the probability `mass`.
   */
  omitted?: { highestLogprob: number; mass: number };
}

/** Asks the model once, and returns one slot per question. The server generates as few tokens as it can. */
export type ReadSlots = (upstream: ModelUpstream, layout: Layout, asking: Asking) => Promise<Slot[]>;
