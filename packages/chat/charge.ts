import type { Charge, Payer } from '@errand/accounts';
import { completionCost, type Usage } from '@errand/models';
import { delay, describeError, newUuid, toIso } from '@errand/platform';
import { writeCharge, writeChargeAlone } from './accounting.ts';
import type { ChatDeps } from './deps.ts';
import type { ChatRequest } from './read-request.ts';

const attempts = 3;
const waitMilliseconds = 200;

/** Charges a completion exactly once: in the ledger when this resolves, or handed on to be written later. */
export async function chargeCompletion(
  deps: ChatDeps,
  request: ChatRequest,
  payer: Payer,
  usage: Usage,
): Promise<void> {
  const charge: Charge = {
    id: `chat_${newUuid()}`,
    at: toIso(deps.clock()),
    kind: 'completion',
    payer,
    model: request.modelId,
    inputTokens: usage.inputTokens,
    cachedInputTokens: usage.cachedInputTokens,
    outputTokens: usage.outputTokens,
    amountNanoEuro: completionCost(request.model, usage),
  };
  if (await tryToWrite(deps, charge)) return;
  try {
    await deps.deferCharge(charge);
    deps.log.warn('charge deferred', { charge: charge.id });
  } catch (error) {
    // The last place where it is kept: everything that the ledger entry would have held.
    const { payer: owner, ...entry } = charge;
    deps.log.error('charge not written', { ...entry, ...owner, ...describeError(error) });
  }
}

async function tryToWrite(deps: ChatDeps, charge: Charge): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      await (attempt === 1 ? writeCharge : writeChargeAlone)(deps.accounts, charge);
      return true;
    } catch (error) {
      deps.log.warn('ledger write failed', { charge: charge.id, attempt, ...describeError(error) });
      if (attempt < attempts) await (deps.wait ?? delay)(waitMilliseconds * attempt);
    }
  }
  return false;
}
