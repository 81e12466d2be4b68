import { guardedAtEnd, type SubRunEnd } from '@errand/agent';
import { sumChargesOfRun } from '@errand/money';
import { readState } from '../checkpoint-store.ts';
import type { RunStoreDeps } from '../deps.ts';
import { isFinished } from '../lifecycle.ts';
import type { RunRecord } from '../run.ts';
import { readRuns } from '../store.ts';

/** How the sub-runs of these ids have ended that are over. One that was deleted is over too. */
export async function endedSubRuns(
  deps: RunStoreDeps,
  runIds: readonly string[],
): Promise<Map<string, Pick<SubRunEnd, 'status'>>> {
  const found = new Map((await readRuns(deps, runIds)).map((run) => [run.agentId, run.status]));
  return new Map(
    runIds.flatMap((runId) => {
      const status = found.get(runId) ?? 'failed';
      return isFinished(status) ? [[runId, { status: shownEnd(status) }] as const] : [];
    }),
  );
}

const shownEnd = (status: RunRecord['status']): SubRunEnd['status'] =>
  status === 'succeeded' ? status : 'failed';

/** What there is of the sub-runs of these ids that are over. One that was deleted is over too. */
export async function readSubRuns(
  deps: RunStoreDeps,
  { payer }: Pick<RunRecord, 'payer'>,
  runIds: readonly string[],
): Promise<Map<string, SubRunEnd>> {
  const found = new Map((await readRuns(deps, runIds)).map((run) => [run.agentId, run]));
  const ends = await Promise.all(
    runIds.map(async (runId) => {
      const run = found.get(runId);
      if (!run) return [[runId, await goneEnd(deps, { payer, runId })] as const];
      return isFinished(run.status) ? [[runId, await endOf(deps, run)] as const] : [];
    }),
  );
  return new Map(ends.flat());
}

/** Its charges outlast it. */
async function goneEnd(
  deps: RunStoreDeps,
  { payer, runId }: Pick<RunRecord, 'payer'> & { runId: string },
): Promise<SubRunEnd> {
  const { inputTokens, outputTokens, seconds, amountNanoEuro } = await sumChargesOfRun(deps, payer, runId);
  const unknown = { cachedInputTokens: 0, reasoningTokens: 0, completions: 0 };
  const used = { ...unknown, inputTokens, outputTokens, audioSeconds: seconds, amountNanoEuro };
  const known = { sources: [], guarded: guardedAtEnd() };
  return { ...known, status: 'failed', text: 'The sub-run was deleted, with its report.', used };
}

async function endOf(deps: RunStoreDeps, run: RunRecord): Promise<SubRunEnd> {
  const used = usedBy(run);
  const state = (await readState(deps, run))?.state;
  const known = { sources: state?.sources ?? [], guarded: guardedAtEnd(state) };
  if (run.status !== 'succeeded') return { ...known, status: 'failed', text: whyFailed(run), used };
  const stored = run.resultStored === undefined ? undefined : await deps.files.getText(run.resultStored);
  return { ...known, status: 'succeeded', text: stored ?? run.result ?? '', used };
}

const whyFailed = ({ error }: RunRecord): string =>
  error === undefined ? 'The sub-run has no report.' : `The sub-run has failed: ${error}`;

const usedBy = (run: RunRecord): SubRunEnd['used'] => ({
  inputTokens: run.inputTokens,
  cachedInputTokens: run.cachedInputTokens ?? 0,
  outputTokens: run.outputTokens,
  reasoningTokens: run.reasoningTokens ?? 0,
  audioSeconds: run.audioSeconds,
  completions: run.completions ?? 0,
  amountNanoEuro: run.amountNanoEuro,
});
