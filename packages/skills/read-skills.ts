import { DomainError, type Principal } from '@errand/platform';
import type { SkillsDeps } from './deps.ts';
import { canSee, ownerKey, visibleOwners } from './owner.ts';
import type { SkillRow, StoredSkill } from './skill.ts';
import { queryOwned, readSkill } from './store.ts';

/** Every skill that the caller sees (`canSee`), sorted by name; skills of one name by precedence. */
export async function listSkills(deps: SkillsDeps, principal: Principal): Promise<SkillRow[]> {
  const owners = visibleOwners(principal).map(ownerKey);
  const owned = await Promise.all(owners.map((owner) => queryOwned(deps, owner)));
  return owned
    .flat()
    .filter((row) => canSee(principal, row))
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

/** Throws `skill_not_found` for a skill that does not exist and for one that the caller does not see. */
export async function getSkill(deps: SkillsDeps, principal: Principal, id: string): Promise<StoredSkill> {
  const stored = await readSkill(deps, id);
  if (!stored || !canSee(principal, stored.row)) throw new DomainError('skill_not_found');
  return stored;
}
