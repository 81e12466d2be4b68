import { type Credits, type SettleDeps, settleCharge } from '@errand/accounts';
import { completionCost, priceAt, type Usage } from '@errand/models';
import { newUuid, toIso } from '@errand/platform';
import type { ChatDeps } from './deps.ts';
import type { ChatRequest } from './read-request.ts';

/** Charges a completion exactly once, at once or later. Throws only if the request was not admitted. */
export async function chargeCompletion(
  deps: ChatDeps & Pick<SettleDeps, 'hurried'>,
  request: ChatRequest,
  credits: Promise<Credits>,
  usage: Usage,
): Promise<void> {
  const { payer } = await credits;
  await settleCharge(
    { ...deps.accounts, ...deps },
    {
      id: `chat_${newUuid()}`,
      at: toIso(deps.clock()),
      kind: 'completion',
      payer,
      model: request.modelId,
      inputTokens: usage.inputTokens,
      cachedInputTokens: usage.cachedInputTokens,
      outputTokens: usage.outputTokens,
      amountNanoEuro: completionCost(priceAt(request.model, deps.clock()), usage),
    },
  );
}
