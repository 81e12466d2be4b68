import { sumChargesOfRun } from '@errand/money';
import type { RunStoreDeps } from '../deps.ts';
import type { RunRecord } from '../run.ts';

/** Compares what a run says it has used with the charges that were made for it. */
export async function checkCharges(deps: RunStoreDeps, run: RunRecord): Promise<string[]> {
  const charged = await sumChargesOfRun(deps, run.payer, run.agentId);
  const pairs = {
    'nano-euro': [run.amountNanoEuro, charged.amountNanoEuro],
    'input tokens': [run.inputTokens, charged.inputTokens],
    'output tokens': [run.outputTokens, charged.outputTokens],
    'seconds of audio': [run.audioSeconds, charged.seconds],
  };
  return Object.entries(pairs).flatMap(([unit, [used, inLedger]]) =>
    used === inLedger ? [] : [`The run has used ${used} ${unit}, its charges say ${inLedger}.`],
  );
}
