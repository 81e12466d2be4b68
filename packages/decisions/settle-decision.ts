import { type Charge, releaseLater, settleCovered, settleLater } from '@errand/accounts';
import { completionCost, type Usage } from '@errand/models';
import { newId, toIso } from '@errand/platform';
import type { PassesInWork } from './ask-passes.ts';
import type { Asker, ReadDecision } from './decision.ts';
import type { DecisionDeps } from './deps.ts';

interface Charged {
  work: PassesInWork;
  usage: () => Promise<Usage>;
  more: Partial<Charge>;
}

/** Charges a decision in the background. */
export function chargeDecision(
  deps: DecisionDeps,
  decision: Pick<ReadDecision, 'model' | 'price'>,
  asker: Asker,
  { work, usage, more }: Charged,
): void {
  settleLater(deps.accounts, asker.credits.payer.accountId, async () => {
    const upstream = work.takings.find((taking) => taking.upstream !== undefined)?.upstream;
    const charge = chargeOf(deps, decision, asker, await usage());
    const reasons = { ...(upstream !== undefined && { upstream }), ...more };
    await settleCovered({ ...deps.accounts, ...deps }, { ...charge, ...reasons });
  });
}

/** Gives back what was set aside for a decision that costs nothing. */
export const endUncharged = (deps: DecisionDeps, { credits }: Asker): void =>
  releaseLater(deps.accounts, credits.payer.accountId, credits.reservation);

function chargeOf(
  deps: DecisionDeps,
  { model, price }: Pick<ReadDecision, 'model' | 'price'>,
  { principal, requestId, credits }: Asker,
  usage: Usage,
): Charge {
  const { inputTokens, cachedInputTokens, cacheWriteTokens } = usage;
  return {
    id: newId('decision'),
    at: toIso(deps.clock()),
    kind: 'decision',
    payer: credits.payer,
    model: model.id,
    inputTokens,
    ...(cachedInputTokens > 0 && { cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    outputTokens: 0,
    amountNanoEuro: completionCost(price, usage),
    requestId,
    keyId: principal.keyId,
    price,
    ...(credits.reservation && { reservation: credits.reservation }),
  };
}
