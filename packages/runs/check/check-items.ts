import { getItem, type Payload } from '@errand/platform';
import type { RunStoreDeps } from '../deps.ts';
import { itemKeys, waitingRunKey } from '../item-keys.ts';
import { isFinished } from '../lifecycle.ts';
import { waitingSince } from '../resend.ts';
import type { RunRecord } from '../run.ts';

/** A run that no worker has taken for this long waits for longer than any backlog or outage should last. */
const longestWaitMilliseconds = 60 * 60 * 1000;

/** What a run's other items say, and whether a run that is not finished is being worked on. */
export async function checkItems(deps: RunStoreDeps, run: RunRecord): Promise<string[]> {
  const { agentId, keyId, createdAt } = run;
  const read = <T>(key: { pk: string; sk: string }) => getItem<T>(deps, deps.tables.runs, key);
  const [input, state, authorizations, listing, turn] = await Promise.all([
    read<Payload>(itemKeys.input(agentId)),
    read<Payload>(itemKeys.state(agentId)),
    read(itemKeys.authorizations(agentId)),
    read(itemKeys.listing(keyId, createdAt, agentId)),
    read(waitingRunKey(run)),
  ]);
  const problems: string[] = [];
  if (!listing) problems.push('The run is missing in the listing of its key.');
  if (!input) problems.push('The input is missing.');
  if (state && isFinished(run.status)) problems.push('The run is finished but has a checkpoint.');
  if (authorizations && isFinished(run.status)) problems.push('The run is finished but has authorizations.');
  const stored = (key: string | undefined): Payload | undefined =>
    key === undefined ? undefined : { stored: key };
  const outcome = { result: stored(run.resultStored), 'list of citations': stored(run.citationsStored) };
  for (const [what, payload] of Object.entries({ input, checkpoint: state, ...outcome }))
    if (payload && 'stored' in payload && (await deps.files.size(payload.stored)) === undefined)
      problems.push(`The ${what} is missing in the bucket.`);
  // A run that waits for its account's other runs may do so for as long as they take.
  return turn ? problems : [...problems, ...checkWait(deps, run)];
}

function checkWait(deps: RunStoreDeps, run: RunRecord): string[] {
  if (isFinished(run.status)) return [];
  const now = deps.clock();
  const since = waitingSince(run, now);
  const waited = now - since;
  if (waited < longestWaitMilliseconds) return [];
  const length = since === 0 ? 'since the clock was set back' : `for ${Math.floor(waited / 60_000)} minutes`;
  return [`The run is ${run.status}, and no worker has taken it ${length}.`];
}
