import type { Discrepancy } from '@errand/platform';
import type { RunStoreDeps } from '../deps.ts';
import type { RunRecord } from '../run.ts';
import { allRunIds, readRun, runIdsOfKey } from '../store.ts';
import { checkCharges } from './check-charges.ts';
import { checkEvents } from './check-events.ts';
import { checkItems } from './check-items.ts';

export type CheckRunsDeps = RunStoreDeps;

const runsAtOnce = 16;
const attempts = 5;

/** Yields what is wrong with the runs of these API keys, or with all runs. Only reads. */
export async function* checkRuns(
  deps: CheckRunsDeps,
  keyIds?: readonly string[],
): AsyncGenerator<Discrepancy> {
  for await (const ids of keyIds === undefined ? allRunIds(deps) : runIdsOfKeys(deps, keyIds))
    for (let at = 0; at < ids.length; at += runsAtOnce) {
      const found = await Promise.all(ids.slice(at, at + runsAtOnce).map((id) => checkRun(deps, id)));
      yield* found.flat();
    }
}

async function* runIdsOfKeys(deps: CheckRunsDeps, keyIds: readonly string[]): AsyncGenerator<string[]> {
  for (const keyId of keyIds) yield* runIdsOfKey(deps, keyId);
}

/** A run may go on, end or be deleted while its items are read. What is wrong must stay so while the run does not change. */
async function checkRun(deps: CheckRunsDeps, agentId: string): Promise<Discrepancy[]> {
  let run = await readRun(deps, agentId);
  for (let attempt = 1; run; attempt++) {
    const problems = await problemsOf(deps, run);
    if (problems.length === 0) return [];
    const now = await readRun(deps, agentId);
    if (now && (isSame(run, now) || attempt === attempts))
      return problems.map((problem) => ({ of: 'run', id: agentId, problem }));
    run = now;
  }
  return [];
}

const isSame = (run: RunRecord, now: RunRecord): boolean =>
  run.lastEventId === now.lastEventId && run.status === now.status && run.leaseToken === now.leaseToken;

async function problemsOf(deps: CheckRunsDeps, run: RunRecord): Promise<string[]> {
  const found = await Promise.all([checkEvents(deps, run), checkItems(deps, run), checkCharges(deps, run)]);
  return found.flat();
}
