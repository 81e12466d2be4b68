import { batchDelete, ConditionsFailed, deleteItem, describeError, updateItem } from '@errand/platform';
import type { SkillsDeps, StoreDeps } from './deps.ts';
import { itemKeys, sweepPrefix } from './item-keys.ts';
import { ownerKey, type SkillOwner } from './owner.ts';
import { queryByPrefix } from './store.ts';

/** A deleted skill, and the highest number of its contents that may still be there. */
interface Sweep {
  id: string;
  highest: number;
}

const stepItems = 100;
/** How many contents a write that only passes by may remove. */
const passingItems = 500;

/** Removes what deletions of this owner's skills have left behind, however much. Safe to repeat and to interrupt. */
export const sweepDeletedSkills = (deps: StoreDeps, owner: SkillOwner): Promise<void> =>
  sweepOwner(deps, ownerKey(owner));

export async function sweepOwner(
  deps: StoreDeps,
  owner: string,
  mostItems = Number.POSITIVE_INFINITY,
): Promise<void> {
  let left = mostItems;
  for (const sweep of await queryByPrefix<Sweep>(deps, owner, sweepPrefix)) {
    if (left <= 0) return;
    left -= await sweepSkill(deps, owner, sweep, left);
  }
}

/** A bounded part of an earlier deletion, on the way of another write, which it must not fail. */
export async function finishSomeDeletions(deps: SkillsDeps, owner: string): Promise<void> {
  try {
    await sweepOwner(deps, owner, passingItems);
  } catch (error) {
    deps.log.warn('versions of deleted skills are left for later', describeError(error));
  }
}

/** From the highest number down, moving the mark after each step, so that an interrupted sweep goes on from there. */
async function sweepSkill(deps: StoreDeps, owner: string, sweep: Sweep, mostItems: number): Promise<number> {
  let { highest } = sweep;
  let removed = 0;
  while (highest >= 0 && removed < mostItems) {
    const count = Math.min(stepItems, highest + 1);
    await removeContents(deps, sweep.id, highest, count);
    highest -= count;
    removed += count;
    if (highest >= 0 && !(await moveMark(deps, owner, sweep.id, highest))) return removed;
  }
  if (highest < 0)
    await deleteItem(deps, { TableName: deps.tables.skills, Key: itemKeys.sweep(owner, sweep.id) });
  return removed;
}

async function removeContents(deps: StoreDeps, id: string, highest: number, count: number): Promise<void> {
  const keys = Array.from({ length: count }, (_, i) => itemKeys.content(id, highest - i));
  await batchDelete(deps, deps.tables.skills, keys);
}

/** False when another sweep has finished this one meanwhile: its mark must not come back. */
async function moveMark(deps: StoreDeps, owner: string, id: string, highest: number): Promise<boolean> {
  try {
    await updateItem(deps, {
      condition: 'sweep-unfinished',
      TableName: deps.tables.skills,
      Key: itemKeys.sweep(owner, id),
      UpdateExpression: 'SET highest = :highest',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':highest': highest },
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionsFailed) return false;
    throw error;
  }
}
