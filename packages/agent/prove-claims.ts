import { describeError, type Log, limits } from '@errand/platform';
import type { PaidCalls } from './paid-calls.ts';
import type { CheckedClaim, ClaimsPass, Judge, MadePass, Proof } from './proof.ts';

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
  return { supports: new Map(byPosition), cost: made.cost };
}
