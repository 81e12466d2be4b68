import type { AgentState, UsedBySubRun } from '@errand/agent';
import type { RunRecord } from '../run.ts';

const nothing: UsedBySubRun = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  audioSeconds: 0,
  completions: 0,
  amountNanoEuro: 0,
};

/** What a commit writes of the run's sub-runs on its own item. */
export function subRunTotals({ state }: { state?: AgentState }): Pick<RunRecord, 'subRuns'> {
  if (!state?.subRuns) return {};
  let lentNanoEuro = 0;
  const used = { ...nothing };
  for (const run of state.subRuns) {
    if (run.status !== 'over') lentNanoEuro += run.capNanoEuro ?? 0;
    for (const unit of Object.keys(used) as (keyof UsedBySubRun)[]) used[unit] += run.used?.[unit] ?? 0;
  }
  return { subRuns: { ...used, lentNanoEuro } };
}
