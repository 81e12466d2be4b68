import { ConditionsFailed, DomainError, newId, toIso } from '@errand/platform';
import { measureInstructions } from './content.ts';
import type { SkillsDeps } from './deps.ts';
import { writeNames } from './name-cache.ts';
import { ownerKey, type SkillOwner } from './owner.ts';
import type { NewSkill } from './schema.ts';
import type { StoredSkill } from './skill.ts';
import { finishSomeDeletions } from './sweep-deleted.ts';
import { insertWrites } from './writes.ts';

/** Creates an enabled skill with version 1. The input must have passed `validateNewSkill`. Throws `skill_name_taken`. */
export const createSkill = (deps: SkillsDeps, owner: SkillOwner, input: NewSkill): Promise<StoredSkill> =>
  addSkill(deps, owner, input, 1);

/**
 * Creates a skill like those written before versions existed: its `version` is null and no request can pin it. The
 * first write that changes its instructions publishes version 1. Throws `skill_name_taken`.
 */
export const importUnversionedSkill = (
  deps: SkillsDeps,
  owner: SkillOwner,
  input: NewSkill,
): Promise<StoredSkill> => addSkill(deps, owner, input, null);

async function addSkill(
  deps: SkillsDeps,
  owner: SkillOwner,
  { name, description = '', instructions }: NewSkill,
  version: 1 | null,
): Promise<StoredSkill> {
  const now = toIso(deps.clock());
  const key = ownerKey(owner);
  const stored: StoredSkill = {
    row: {
      id: newId('skill'),
      owner: key,
      name,
      description,
      enabled: true,
      version,
      revision: 1,
      createdAt: now,
      updatedAt: now,
    },
    content: { ...(await measureInstructions(instructions)), number: version ?? 0, createdAt: now },
  };
  try {
    await writeNames(deps, [stored.row], insertWrites(deps, stored));
  } catch (error) {
    if (error instanceof ConditionsFailed && error.has('name-free'))
      throw new DomainError('skill_name_taken', { name });
    throw error;
  }
  await finishSomeDeletions(deps, key);
  return stored;
}
