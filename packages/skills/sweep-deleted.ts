import { batchDelete, deleteItem, describeError } from '@errand/platform';
import type { SkillsDeps, StoreDeps } from './deps.ts';
import { itemKeys } from './item-keys.ts';
import { ownerKey, type SkillOwner } from './owner.ts';
import { moveSweep, querySweeps, type Sweep } from './store.ts';

const stepItems = 100;
/** The most contents that a creation removes for earlier deletions. */
const itemsPerCreation = 500;

/** Removes all contents left by deletions of this owner's skills. Safe to repeat and to interrupt. */
export const sweepDeletedSkills = (deps: StoreDeps, owner: SkillOwner): Promise<void> =>
  sweepOwner(deps, ownerKey(owner));

export async function sweepOwner(
  deps: StoreDeps,
  owner: string,
  mostItems = Number.POSITIVE_INFINITY,
): Promise<void> {
  let left = mostItems;
  for (const sweep of await querySweeps(deps, owner)) {
    if (left <= 0) return;
    left -= await sweepSkill(deps, owner, sweep, left);
  }
}

/** Removes some of the contents left by earlier deletions. A failure is logged, so that the creation does not fail. */
export async function finishSomeDeletions(deps: SkillsDeps, owner: string): Promise<void> {
  try {
    await sweepOwner(deps, owner, itemsPerCreation);
  } catch (error) {
    deps.log.warn('versions of deleted skills are left for later', describeError(error));
  }
}

/** Removes contents from the highest number down. Each step moves the mark, from which the next sweep continues. */
async function sweepSkill(deps: StoreDeps, owner: string, sweep: Sweep, mostItems: number): Promise<number> {
  let { highest } = sweep;
  let removed = 0;
  while (highest >= 0 && removed < mostItems) {
    const count = Math.min(stepItems, highest + 1);
    await removeContents(deps, sweep.id, highest, count);
    highest -= count;
    removed += count;
    if (highest >= 0 && !(await moveSweep(deps, owner, sweep.id, highest))) return removed;
  }
  if (highest < 0)
    await deleteItem(deps, { TableName: deps.tables.skills, Key: itemKeys.sweep(owner, sweep.id) });
  return removed;
}

async function removeContents(deps: StoreDeps, id: string, highest: number, count: number): Promise<void> {
  const keys = Array.from({ length: count }, (_, i) => itemKeys.content(id, highest - i));
  await batchDelete(deps, deps.tables.skills, keys);
}
