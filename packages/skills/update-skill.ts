import { ConditionsFailed, DomainError, toIso, transact } from '@errand/platform';
import { whileColliding } from './collisions.ts';
import { makeContent } from './content.ts';
import type { SkillsDeps } from './deps.ts';
import { checkPrecondition, type Precondition } from './entity-tag.ts';
import { canEdit, type SkillEditor } from './owner.ts';
import type { SkillPatch } from './schema.ts';
import { contentNumber, type SkillContent, type StoredSkill } from './skill.ts';
import { readSkill } from './store.ts';
import { replaceWrites } from './writes.ts';

/**
 * Changes what the patch names; other instructions than the current ones publish the next version. Without a
 * precondition the last write wins, and each of two simultaneous ones publishes its own version. A patch that changes
 * nothing writes nothing. Throws `skill_not_found`, `precondition_failed`, `skill_name_taken`.
 */
export async function updateSkill(
  deps: SkillsDeps,
  editor: SkillEditor,
  id: string,
  patch: SkillPatch,
  precondition: Precondition = {},
): Promise<StoredSkill> {
  return whileColliding(deps, async () => {
    const before = await readSkill(deps, id);
    if (!before || !canEdit(editor, before.row)) throw new DomainError('skill_not_found');
    checkPrecondition(before.row, precondition);
    if (!changes(before, patch)) return before;
    return replace(deps, before, patch);
  });
}

function changes({ row, content }: StoredSkill, patch: SkillPatch): boolean {
  const { name = row.name, description = row.description, enabled = row.enabled } = patch;
  const { instructions = content.instructions } = patch;
  return (
    name !== row.name ||
    description !== row.description ||
    enabled !== row.enabled ||
    instructions !== content.instructions
  );
}

async function replace(deps: SkillsDeps, before: StoredSkill, patch: SkillPatch): Promise<StoredSkill> {
  const now = toIso(deps.clock());
  const content = await nextContent(before, patch.instructions, now);
  const { instructions: _, ...fields } = patch;
  const after: StoredSkill = {
    row: {
      ...before.row,
      ...fields,
      version: content === before.content ? before.row.version : content.number,
      revision: before.row.revision + 1,
      updatedAt: now,
    },
    content,
  };
  try {
    await transact(deps, replaceWrites(deps, before, after));
  } catch (error) {
    if (error instanceof ConditionsFailed && !error.has('skill-unchanged') && error.has('name-free'))
      throw new DomainError('skill_name_taken', { name: after.row.name });
    throw error;
  }
  return after;
}

async function nextContent(
  { row, content }: StoredSkill,
  instructions: string | undefined,
  now: string,
): Promise<SkillContent> {
  if (instructions === undefined || instructions === content.instructions) return content;
  return makeContent(instructions, contentNumber(row) + 1, now);
}
