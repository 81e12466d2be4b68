import type { Taking, Work } from '@errand/money';
import { describeError, type Log, limits } from '@errand/platform';
import type { CallCost, PaidCalls, ToolCallBound } from './paid-calls.ts';

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

interface MadePass {
  /** The claims that were asked about. */
  positions: readonly number[];
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

interface ProofDeps {
  log: Log;
  calls: PaidCalls;
}

/** Ends at the first pass that cannot be paid or that the model fails: the other passes would fail too. */
export const claimProver = (deps: ProofDeps, judge: Judge, threshold: number): Proof => ({
  threshold,
  check: (claims, signal) => check(deps, judge, claims, signal),
});

async function* check(
  deps: ProofDeps,
  judge: Judge,
  claims: readonly CheckedClaim[],
  signal: AbortSignal,
): AsyncGenerator<MadePass> {
  const endsAt = performance.now() + limits.proofMilliseconds;
  try {
    for (const pass of await judge.passesOf(claims)) {
      signal.throwIfAborted();
      if (performance.now() > endsAt) throw new DOMException('the time of the proof is up', 'TimeoutError');
      const made = await makePass(deps, pass, signal);
      if (!made) return;
      yield made;
    }
  } catch (error) {
    signal.throwIfAborted();
    deps.log.warn('proof failed', { claims: claims.length, ...describeError(error) });
  }
}

/** Undefined if the remaining money does not pay for the pass. */
async function makePass(
  { calls }: ProofDeps,
  { positions, ask, ...asked }: ClaimsPass,
  signal: AbortSignal,
): Promise<MadePass | undefined> {
  const made = await calls.make({ ...asked, signal }, ({ taking }) => ask({ signal, taking }));
  if (!made) return undefined;
  const byPosition = positions.flatMap((position, i) => {
    const support = made.supports[i];
    return support === undefined ? [] : [[position, support] as const];
  });
  return { positions, supports: new Map(byPosition), cost: made.cost };
}
