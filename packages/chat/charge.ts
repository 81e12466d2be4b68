import { applyCharge, type Charge, type Payer } from '@errand/accounts';
import { completionCost, type Usage } from '@errand/models';
import { delay, describeError, newUuid, toIso } from '@errand/platform';
import type { ChatDeps } from './deps.ts';
import type { ChatRequest } from './read-request.ts';

const attempts = 3;
const attemptMilliseconds = 2_000;
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
  if (await writeCharge(deps, charge)) return;
  try {
    await deps.deferCharge(charge);
    deps.log.warn('charge deferred', { charge: charge.id });
  } catch (error) {
    // The last place where it is kept: everything that the ledger entry would have held.
    const { payer: owner, ...entry } = charge;
    deps.log.error('charge not written', { ...entry, ...owner, ...describeError(error) });
  }
}

/** A charge's id makes writing it again harmless, so a slow write is not waited for. */
async function writeCharge(deps: ChatDeps, charge: Charge): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      await withinTime(applyCharge(deps.accounts, charge));
      return true;
    } catch (error) {
      deps.log.warn('ledger write failed', { charge: charge.id, attempt, ...describeError(error) });
      if (attempt < attempts) await (deps.wait ?? delay)(waitMilliseconds * attempt);
    }
  }
  return false;
}

async function withinTime(writing: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('ledger write too slow')), attemptMilliseconds);
  });
  try {
    await Promise.race([writing, late]);
  } finally {
    clearTimeout(timer);
  }
}
