import { isDeepStrictEqual } from 'node:util';
import { ConditionsFailed, DomainError, toIso, withChanges } from '@errand/platform';
import { type MeasuredInstructions, measureInstructions } from './content.ts';
import type { SkillsDeps } from './deps.ts';
import { checkPrecondition, type Precondition } from './entity-tag.ts';
import { writeNames } from './name-cache.ts';
import { canEdit, type SkillEditor } from './owner.ts';
import { retryCollisions } from './retry-collisions.ts';
import type { SkillPatch } from './schema.ts';
import { contentNumber, type StoredSkill } from './skill.ts';
import { readSkill } from './store.ts';
import { replaceWrites } from './writes.ts';

/**
 * Changes the fields of the patch. New instructions publish the next version. Without a precondition the last write
 * wins, and two simultaneous writes of instructions publish a version each. A patch that changes nothing writes
 * nothing. Throws `skill_not_found`, `precondition_failed`, `skill_name_taken`.
 */
export async function updateSkill(
  deps: SkillsDeps,
  editor: SkillEditor,
  id: string,
  patch: SkillPatch,
  precondition: Precondition = {},
): Promise<StoredSkill> {
  const { instructions, ...fields } = patch;
  let measured: MeasuredInstructions | undefined;
  return retryCollisions(deps, async () => {
    const before = await readSkill(deps, id);
    if (!before || !canEdit(editor, before.row)) throw new DomainError('skill_not_found');
    checkPrecondition(before.row, precondition);
    if (!changes(before, patch)) return before;
    if (instructions === undefined || instructions === before.content.instructions)
      return replace(deps, before, fields);
    measured ??= await measureInstructions(instructions);
    return replace(deps, before, fields, measured);
  });
}

function changes({ row, content }: StoredSkill, patch: SkillPatch): boolean {
  const now = { ...row, instructions: content.instructions };
  return !isDeepStrictEqual(withChanges(now, patch), now);
}

async function replace(
  deps: SkillsDeps,
  before: StoredSkill,
  fields: Omit<SkillPatch, 'instructions'>,
  measured?: MeasuredInstructions,
): Promise<StoredSkill> {
  const now = toIso(deps.clock());
  const number = contentNumber(before.row) + 1;
  const after: StoredSkill = {
    row: {
      ...withChanges(before.row, fields),
      ...(measured && { version: number }),
      revision: before.row.revision + 1,
      updatedAt: now,
    },
    content: measured ? { ...measured, number, createdAt: now } : before.content,
  };
  try {
    await writeNames(deps, [before.row, after.row], replaceWrites(deps, before, after));
  } catch (error) {
    if (error instanceof ConditionsFailed && !error.has('skill-unchanged') && error.has('name-free'))
      throw new DomainError('skill_name_taken', { name: after.row.name });
    throw error;
  }
  return after;
}
