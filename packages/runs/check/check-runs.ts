import { isTerminalType } from '@errand/agent';
import { sumChargesOfRun } from '@errand/money';
import { type Discrepancy, delay, getItem, type Payload } from '@errand/platform';
import { statusAfter } from '../commit.ts';
import type { RunStoreDeps } from '../deps.ts';
import { type EventHead, eventHeads } from '../event-log.ts';
import { itemKeys, waitingRunKey } from '../item-keys.ts';
import { isFinished } from '../lifecycle.ts';
import { waitingSince } from '../resend.ts';
import type { RunRecord } from '../run.ts';
import { allRunIds, existingRuns, isStillListed, type Listed, listedRuns, readRun } from '../store.ts';

const runsAtOnce = 16;
/** The most keys that one read takes. */
const listedAtOnce = 100;
/** Longer than a deletion takes from the run to its listing. */
const deletionMilliseconds = 1_000;
const attempts = 5;
/** A run that no worker has taken for this long waits for longer than any backlog or outage should last. */
const longestWaitMilliseconds = 60 * 60 * 1000;

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

/** Events that were committed since the run was read are not looked at. */
async function checkEvents(deps: RunStoreDeps, run: RunRecord): Promise<string[]> {
  const problems: string[] = [];
  let last: EventHead | undefined;
  for await (const page of eventHeads(deps, run.agentId))
    for (const event of page) {
      if (event.id > run.lastEventId) break;
      const expected = (last?.id ?? 0) + 1;
      if (event.id !== expected) problems.push(`Event ${expected} is missing.`);
      if (last && isTerminalType(last.name)) problems.push(`Event ${event.id} follows the terminal event.`);
      if (event.stored !== undefined && (await deps.files.size(event.stored)) === undefined)
        problems.push(`The payload of event ${event.id} is missing in the bucket.`);
      last = event;
    }
  if ((last?.id ?? 0) !== run.lastEventId)
    problems.push(`The last event is ${last?.id ?? 0}, the run says ${run.lastEventId}.`);
  else problems.push(...checkEnd(run, last));
  return problems;
}

function checkEnd(run: RunRecord, last: EventHead | undefined): string[] {
  if (!last || !isTerminalType(last.name))
    return isFinished(run.status) ? [`The run is ${run.status} without a terminal event.`] : [];
  return run.status === statusAfter(last.name)
    ? []
    : [`The run is ${run.status}, its last event is ${last.name}.`];
}

/** What a run's other items say, and whether a run that is not finished is being worked on. */
async function checkItems(deps: RunStoreDeps, run: RunRecord): Promise<string[]> {
  const { agentId, keyId, createdAt, thread } = run;
  const read = <T>(key: { pk: string; sk: string }) => getItem<T>(deps, deps.tables.runs, key);
  const [input, state, authorizations, listing, turn, inChain] = await Promise.all([
    read<Payload>(itemKeys.input(agentId)),
    read<Payload>(itemKeys.state(agentId)),
    read(itemKeys.authorizations(agentId)),
    read(itemKeys.listing(keyId, createdAt, agentId)),
    read(waitingRunKey(run)),
    thread === undefined ? {} : read(itemKeys.thread(keyId, thread, createdAt, agentId)),
  ]);
  const problems: string[] = [];
  if (!listing) problems.push('The run is missing in the listing of its key.');
  if (!input) problems.push('The input is missing.');
  if (!inChain) problems.push('The run is missing in the listing of its chain.');
  if (authorizations && isFinished(run.status)) problems.push('The run is finished but has authorizations.');
  const stored = (key: string | undefined): Payload | undefined =>
    key === undefined ? undefined : { stored: key };
  const outcome = {
    result: stored(run.resultStored),
    'list of citations': stored(run.citationsStored),
    'basis of the value': stored(run.basisStored),
    'list of what is asked': stored(run.askedStored),
  };
  for (const [what, payload] of Object.entries({ input, checkpoint: state, ...outcome }))
    if (payload && 'stored' in payload && (await deps.files.size(payload.stored)) === undefined)
      problems.push(`The ${what} is missing in the bucket.`);
  // A run may wait for its account's other runs for as long as they take.
  return turn ? problems : [...problems, ...checkWait(deps, run)];
}

function checkWait(deps: RunStoreDeps, run: RunRecord): string[] {
  if (isFinished(run.status)) return [];
  const now = deps.clock();
  const { patienceEndsMilliseconds: patienceEnd = 0, waitsForRuns } = run;
  const since = Math.max(waitingSince(run, now), waitsForRuns ? patienceEnd : 0);
  const waited = now - since;
  if (waited < longestWaitMilliseconds) return [];
  const length = since === 0 ? 'since the clock was set back' : `for ${Math.floor(waited / 60_000)} minutes`;
  return [`The run is ${run.status}, and no worker has taken it ${length}.`];
}

/** Compares what a run says it has used with the charges that were made for it. */
async function checkCharges(deps: RunStoreDeps, run: RunRecord): Promise<string[]> {
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
