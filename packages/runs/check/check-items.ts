import { getItem } from '@errand/platform';
import type { RunStoreDeps } from '../deps.ts';
import { itemKeys } from '../item-keys.ts';
import { isFinished } from '../lifecycle.ts';
import type { Payload } from '../payload.ts';
import type { RunRecord } from '../run.ts';

/** A run that no worker has taken for this long waits for longer than any backlog or outage should last. */
const longestWaitMilliseconds = 60 * 60 * 1000;

/** What a run's other items say, and whether a run that is not finished is being worked on. */
export async function checkItems(deps: RunStoreDeps, run: RunRecord): Promise<string[]> {
  const { agentId, keyId, createdAt } = run;
  const read = <T>(key: { pk: string; sk: string }) => getItem<T>(deps, deps.tables.runs, key);
  const [input, state, listing] = await Promise.all([
    read<Payload>(itemKeys.input(agentId)),
    read<Payload>(itemKeys.state(agentId)),
    read(itemKeys.listing(keyId, createdAt, agentId)),
  ]);
  const problems: string[] = [];
  if (!listing) problems.push('The run is missing in the listing of its key.');
  if (!input) problems.push('The input is missing.');
  if (state && isFinished(run.status)) problems.push('The run is finished but has a checkpoint.');
  const result: Payload | undefined =
    run.resultStored === undefined ? undefined : { stored: run.resultStored };
  for (const [what, payload] of Object.entries({ input, checkpoint: state, result }))
    if (payload && 'stored' in payload && (await deps.files.size(payload.stored)) === undefined)
      problems.push(`The ${what} is missing in the bucket.`);
  return [...problems, ...checkWait(deps, run)];
}

function checkWait(deps: RunStoreDeps, run: RunRecord): string[] {
  if (isFinished(run.status)) return [];
  const since = Math.max(run.sentAtMilliseconds, run.leaseUntilMilliseconds ?? 0);
  const waited = deps.clock() - since;
  if (waited < longestWaitMilliseconds) return [];
  return [`The run is ${run.status}, and no worker has taken it for ${Math.floor(waited / 60_000)} minutes.`];
}
