import { applyCharge, type Charge, type Payer } from '@errand/accounts';
import { completionCost, type Model, type Usage } from '@errand/models';
import { delay, describeError, newId, toIso } from '@errand/platform';
import { startSystemTimer } from './deadline.ts';
import type { DecisionDeps } from './deps.ts';

const attempts = 3;
const baseWaitMilliseconds = 50;
/** All tries fit between our time limit and the edge's. */
const attemptMilliseconds = 1_200;

/**
 * Charges the input tokens once. What the ledger does not take, even after retries, is handed on to be written later;
 * an answer that exists is not thrown away for it.
 */
export async function takeCharge(
  deps: DecisionDeps,
  { payer, model, usage }: { payer: Payer; model: Model; usage: Usage },
): Promise<void> {
  const charge: Charge = {
    id: newId('decision'),
    at: toIso(deps.clock()),
    kind: 'decision',
    payer,
    model: model.id,
    inputTokens: usage.inputTokens,
    outputTokens: 0,
    amountNanoEuro: completionCost(model, usage),
  };
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      return await withinTime(deps, applyCharge(deps.accounts, charge));
    } catch (error) {
      deps.log.warn('charge not written', { chargeId: charge.id, attempt, ...describeError(error) });
      if (attempt < attempts) await (deps.wait ?? delay)(baseWaitMilliseconds * 2 ** attempt);
    }
  }
  await defer(deps, charge);
}

/** A charge's id makes writing it again harmless, so a slow write is not waited for. */
function withinTime({ startTimer = startSystemTimer }: DecisionDeps, writing: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = startTimer(attemptMilliseconds, () => reject(new Error('ledger write too slow')));
    writing.then(resolve, reject).finally(stop);
  });
}

async function defer(deps: DecisionDeps, charge: Charge): Promise<void> {
  try {
    await deps.deferCharge(charge);
  } catch (error) {
    deps.log.error('charge lost', {
      chargeId: charge.id,
      accountId: charge.payer.accountId,
      amountNanoEuro: charge.amountNanoEuro,
      ...describeError(error),
    });
  }
}
