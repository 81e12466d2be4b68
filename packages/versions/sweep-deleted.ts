import { batchDelete, deleteItem, describeError } from '@errand/platform';
import type { StoreDeps, VersionsDeps } from './deps.ts';
import { itemKeys } from './item-keys.ts';
import type { KindKeys } from './kind.ts';
import { type Owner, ownerKey } from './owner.ts';
import { moveSweep, querySweeps, type Sweep } from './store.ts';

const stepItems = 100;
/** The most contents that a creation removes for earlier deletions. */
const itemsPerCreation = 500;

/** Removes all contents left by this owner's deletions. Safe to repeat and to interrupt. */
export const sweepDeleted = (kind: KindKeys, deps: StoreDeps, owner: Owner): Promise<void> =>
  sweepOwner(deps, kind, ownerKey(owner));

export async function sweepOwner(
  deps: StoreDeps,
  kind: KindKeys,
  owner: string,
  mostItems = Number.POSITIVE_INFINITY,
): Promise<void> {
  let left = mostItems;
  for (const sweep of await querySweeps(deps, kind, owner)) {
    if (left <= 0) return;
    left -= await sweepOne(deps, kind, sweep, { owner, mostItems: left });
  }
}

/** Removes some of the contents left by earlier deletions. A failure is logged, so that the creation does not fail. */
export async function finishSomeDeletions(deps: VersionsDeps, kind: KindKeys, owner: string): Promise<void> {
  try {
    await sweepOwner(deps, kind, owner, itemsPerCreation);
  } catch (error) {
    deps.log.warn(`versions of deleted ${kind.noun}s are left for later`, describeError(error));
  }
}

/** Removes contents from the highest number down. Each step moves the mark, from which the next sweep continues. */
async function sweepOne(
  deps: StoreDeps,
  kind: KindKeys,
  sweep: Sweep,
  { owner, mostItems }: { owner: string; mostItems: number },
): Promise<number> {
  const keys = itemKeys(kind);
  let { highest } = sweep;
  let removed = 0;
  while (highest >= 0 && removed < mostItems) {
    const count = Math.min(stepItems, highest + 1);
    const gone = Array.from({ length: count }, (_, i) => keys.content(sweep.id, highest - i));
    await batchDelete(deps, deps.tables.skills, gone);
    highest -= count;
    removed += count;
    if (highest >= 0 && !(await moveSweep(deps, kind, owner, sweep.id, highest))) return removed;
  }
  if (highest < 0)
    await deleteItem(deps, { TableName: deps.tables.skills, Key: keys.sweep(owner, sweep.id) });
  return removed;
}
