import { type Discrepancy, delay } from '@errand/platform';
import type { RunStoreDeps } from '../deps.ts';
import type { RunRecord } from '../run.ts';
import { allRunIds, existingRuns, isStillListed, type Listed, listedRuns, readRun } from '../store.ts';
import { checkCharges } from './check-charges.ts';
import { checkEvents } from './check-events.ts';
import { checkItems } from './check-items.ts';

const runsAtOnce = 16;
/** The most keys that one read takes. */
const listedAtOnce = 100;
/** Longer than a deletion takes from the run to its listing. */
const deletionMilliseconds = 1_000;
const attempts = 5;

/** Yields what is wrong with the runs of these API keys, or with all runs. Only reads. */
export async function* checkRuns(
  deps: RunStoreDeps,
  keyIds?: readonly string[],
): AsyncGenerator<Discrepancy> {
  if (keyIds === undefined) {
    for await (const ids of allRunIds(deps)) yield* checkEach(deps, ids);
    for await (const listed of listedRuns(deps)) yield* checkListed(deps, listed);
  } else
    for (const keyId of keyIds)
      for await (const listed of listedRuns(deps, keyId)) {
        yield* checkListed(deps, listed);
        yield* checkEach(deps, listed.map(idOf));
      }
}

async function* checkEach(deps: RunStoreDeps, ids: readonly string[]): AsyncGenerator<Discrepancy> {
  for (let at = 0; at < ids.length; at += runsAtOnce) {
    const found = await Promise.all(ids.slice(at, at + runsAtOnce).map((id) => checkRun(deps, id)));
    yield* found.flat();
  }
}

const idOf = ({ agentId }: Listed) => agentId;

/** A run that is deleted at the moment is still listed for a moment. */
async function* checkListed(deps: RunStoreDeps, listed: readonly Listed[]): AsyncGenerator<Discrepancy> {
  for (let at = 0; at < listed.length; at += listedAtOnce) {
    const some = listed.slice(at, at + listedAtOnce);
    const existing = await existingRuns(deps, some.map(idOf));
    const missing = some.filter(({ agentId }) => !existing.has(agentId));
    if (missing.length > 0) await delay(deletionMilliseconds);
    for (const one of missing)
      if (await isStillListed(deps, one))
        yield { of: 'run', id: one.agentId, problem: 'The run is listed and missing.' };
  }
}

/** A run may go on, end or be deleted while its items are read. What is wrong must stay so while the run does not change. */
async function checkRun(deps: RunStoreDeps, agentId: string): Promise<Discrepancy[]> {
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

async function problemsOf(deps: RunStoreDeps, run: RunRecord): Promise<string[]> {
  const found = await Promise.all([checkEvents(deps, run), checkItems(deps, run), checkCharges(deps, run)]);
  return found.flat();
}
