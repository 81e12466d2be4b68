import { readKeyLimits } from '@errand/accounts';
import type { SubRuns } from '@errand/agent';
import { uuidOf } from '@errand/platform';
import { keyOf } from '../run.ts';
import { copyMaterial } from '../run-material.ts';
import { readRuns } from '../store.ts';
import type { RunSpending } from '../worker/spending.ts';
import { stopSubRun } from './after-end.ts';
import { endedSubRuns, readSubRuns } from './read-sub-runs.ts';
import { type Parent, type SubRunsDeps, startSubRuns } from './start-sub-runs.ts';

/** The sub-runs of a run, as its agent has them. */
export function subRunsOf(deps: SubRunsDeps, parent: Parent, spending: RunSpending): SubRuns {
  const { run } = parent;
  const read: SubRuns['read'] = (runIds) => readSubRuns(deps, run, runIds);
  return {
    idOf: (call, index) => uuidOf(`sub-run ${run.agentId} ${call} ${index}`),
    lend: (count) => spending.lend(count),
    takeBack: (cap, used) => spending.takeBack(cap, used),
    async start(runs, guarded) {
      const key = keyOf(run);
      const principal = {
        ...key,
        organisationId: run.payer.organisationId,
        limits: await readKeyLimits(deps.accounts, key),
      };
      return startSubRuns(deps, parent, principal, runs, guarded);
    },
    over: (runIds) => endedSubRuns(deps, runIds),
    read,
    async giveUp(runIds) {
      for (const each of await readRuns(deps, runIds)) await stopSubRun(deps, each);
      return read(runIds);
    },
    copy: (runId, names, rename, signal) =>
      names.length === 0
        ? Promise.resolve([])
        : copyMaterial(deps.files, runId, run.agentId, names, signal, rename),
  };
}
