import { applyCharge, type Charge, type Payer } from '@errand/accounts';
import { completionCost, type Model, type Usage } from '@errand/models';
import { delay, describeError, newId, toIso } from '@errand/platform';
import type { DecisionDeps } from './deps.ts';

const attempts = 3;
const baseWaitMilliseconds = 100;

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
      return await applyCharge(deps.accounts, charge);
    } catch (error) {
      deps.log.warn('charge not written', { chargeId: charge.id, attempt, ...describeError(error) });
      if (attempt < attempts) await (deps.wait ?? delay)(baseWaitMilliseconds * 2 ** attempt);
    }
  }
  await defer(deps, charge);
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
