import type { Taking, Work } from '@errand/money';
import type { CallCost, ToolCallBound } from './paid-calls.ts';

/** A claim of the answer, with what its sources say about it. */
export interface CheckedClaim {
  text: string;
  passage: string;
}

export interface Proof {
  /** The threshold: a claim with less support is not borne out by its passage. */
  threshold: number;
  /**
   * Checks claims pass after pass. Ends early where the credits do not pay for a pass, the model could not say, or
   * the time is up: the further claims have no support. Throws only the signal's reason.
   */
  check(claims: readonly CheckedClaim[], signal: AbortSignal): AsyncGenerator<MadePass>;
}

export interface MadePass {
  /** The probability that its passage supports it, by the position of the claim. */
  supports: ReadonlyMap<number, number>;
  cost: CallCost;
}

/** One request to a decision model, about some of the claims. */
export interface ClaimsPass extends ToolCallBound {
  /** The claims, by their positions. */
  positions: readonly number[];
  /** The probability for each of its claims. */
  ask(asking: {
    signal: AbortSignal;
    taking: Taking;
  }): Promise<{ supports: (number | undefined)[]; cost: Work }>;
}

/** A decision model as the agent asks it. */
export interface Judge {
  /** As few passes as the model's context allows. A claim that does not fit is in none. */
  passesOf(claims: readonly CheckedClaim[]): Promise<ClaimsPass[]>;
}
