import { describeError } from '@errand/platform';
import type { VersionsDeps } from './deps.ts';
import { checkPrecondition, type Precondition } from './entity-tag.ts';
import type { Kind, Shape } from './kind.ts';
import { writeNames } from './name-cache.ts';
import { canEdit, type Editor } from './owner.ts';
import { retryCollisions } from './retry-collisions.ts';
import { readRow } from './store.ts';
import { sweepOwner } from './sweep-deleted.ts';
import { removeWrites } from './writes.ts';

/**
 * Deletes a thing and frees its name in one transaction, then removes its versions. If the removal is interrupted, the
 * owner's next creation or deletion of the kind finishes it. Refuses what is missing and a precondition that fails.
 */
export async function deleteNamed<S extends Shape>(
  kind: Kind<S>,
  deps: VersionsDeps,
  editor: Editor,
  id: string,
  precondition: Precondition = {},
): Promise<void> {
  const owner = await retryCollisions(deps, kind, async () => {
    const row = await readRow(deps, kind, id);
    if (!row || !canEdit(editor, row)) throw kind.refuse.missing();
    checkPrecondition(row, precondition);
    await writeNames(deps, kind, [row], removeWrites(deps, kind, row));
    return row.owner;
  });
  try {
    await sweepOwner(deps, kind, owner);
  } catch (error) {
    deps.log.warn(`versions of a deleted ${kind.noun} are left for later`, {
      [`${kind.noun}Id`]: id,
      ...describeError(error),
    });
  }
}
