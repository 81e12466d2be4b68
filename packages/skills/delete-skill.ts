import { DomainError, describeError } from '@errand/platform';
import type { SkillsDeps } from './deps.ts';
import { checkPrecondition, type Precondition } from './entity-tag.ts';
import { writeNames } from './name-cache.ts';
import { canEdit, type SkillEditor } from './owner.ts';
import { retryCollisions } from './retry-collisions.ts';
import { readRow } from './store.ts';
import { sweepOwner } from './sweep-deleted.ts';
import { removeWrites } from './writes.ts';

/**
 * Deletes the skill and frees its name in one transaction, then removes its versions. If the removal is interrupted,
 * the owner's next creation or deletion of a skill finishes it. Throws `skill_not_found`, `precondition_failed`.
 */
export async function deleteSkill(
  deps: SkillsDeps,
  editor: SkillEditor,
  id: string,
  precondition: Precondition = {},
): Promise<void> {
  const owner = await retryCollisions(deps, async () => {
    const row = await readRow(deps, id);
    if (!row || !canEdit(editor, row)) throw new DomainError('skill_not_found');
    checkPrecondition(row, precondition);
    await writeNames(deps, [row], removeWrites(deps, row));
    return row.owner;
  });
  try {
    await sweepOwner(deps, owner);
  } catch (error) {
    deps.log.warn('versions of a deleted skill are left for later', { skillId: id, ...describeError(error) });
  }
}
