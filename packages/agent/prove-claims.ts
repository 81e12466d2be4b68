import { describeError, type Log } from '@errand/platform';
import type { CallCost, PaidCalls } from './paid-calls.ts';
import type { ClaimsPass, Judge, Proof } from './proof.ts';

interface ProofDeps {
  log: Log;
  calls: PaidCalls;
}

/** Checks claims pass after pass. Ends before the first that cannot be paid, or that the model fails at: the others would fare alike. */
export const claimProver = (deps: ProofDeps, judge: Judge, threshold: number): Proof => ({
  threshold,
  async check(claims, signal) {
    const supports: (number | undefined)[] = claims.map(() => undefined);
    const costs: CallCost[] = [];
    try {
      for (const pass of await judge.passesOf(claims)) {
        signal.throwIfAborted();
        const made = await makePass(deps, pass, signal);
        if (!made) break;
        for (const [i, position] of pass.positions.entries()) supports[position] = made.supports[i];
        costs.push(made.cost);
      }
    } catch (error) {
      signal.throwIfAborted();
      deps.log.warn('proof failed', { claims: claims.length, ...describeError(error) });
    }
    return { supports, costs };
  },
});

/** Undefined if what is left does not pay for it. */
async function makePass({ calls }: ProofDeps, pass: ClaimsPass, signal: AbortSignal) {
  const call = await calls.start(pass.bound, 'tool', pass.known);
  if (!call) return undefined;
  try {
    const { supports, cost } = await pass.ask({ signal, taking: call.taking });
    return { supports, cost: call.answered(cost) };
  } catch (error) {
    await call.failed(signal);
    throw error;
  }
}
