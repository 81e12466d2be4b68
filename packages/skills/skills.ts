import type { Principal } from '@errand/platform';
import {
  createNamed,
  deleteNamed,
  describeRow,
  getNamed,
  listNamed,
  listOwned,
  type OfKind,
  type Owner,
  sweepDeleted,
  updateNamed,
} from '@errand/versions';
import type { SkillsDeps } from './deps.ts';
import type { NewSkill } from './schema.ts';
import type { SkillSummary } from './skill.ts';
import { type SkillShape, skillKind } from './skill-kind.ts';

/** Creates an enabled skill with version 1. The input must have passed `validateNewSkill`. Throws `skill_name_taken`. */
export const createSkill = (deps: SkillsDeps, owner: Owner, input: NewSkill) =>
  createNamed(skillKind, deps, owner, input);

/**
 * Creates a skill like those written before versions existed: its `version` is null and no request can pin it. The
 * first write that changes its instructions publishes version 1. Throws `skill_name_taken`.
 */
export const importUnversionedSkill = (deps: SkillsDeps, owner: Owner, input: NewSkill) =>
  createNamed(skillKind, deps, owner, input, null);

/** Throws `skill_not_found`, `precondition_failed`, `skill_name_taken`. */
export const updateSkill = (...asked: OfKind<typeof updateNamed<SkillShape>>) =>
  updateNamed(skillKind, ...asked);

/** Throws `skill_not_found`, `precondition_failed`. */
export const deleteSkill = (...asked: OfKind<typeof deleteNamed<SkillShape>>) =>
  deleteNamed(skillKind, ...asked);

/** Throws `skill_not_found` for a skill that does not exist and for one that the caller does not see. */
export const getSkill = (...asked: OfKind<typeof getNamed<SkillShape>>) => getNamed(skillKind, ...asked);

export const sweepDeletedSkills = (...asked: OfKind<typeof sweepDeleted>) =>
  sweepDeleted(skillKind, ...asked);

/** Every skill that the caller sees, sorted by name; skills of one name by precedence. */
export async function listSkills(deps: SkillsDeps, principal: Principal): Promise<SkillSummary[]> {
  const rows = await listNamed(skillKind, deps, principal);
  return rows.map((row) => describeRow(row, deps.providerScope));
}

/** Every skill of one owner, enabled or not, sorted by name, for the operator. */
export async function listOwnedSkills(
  deps: Pick<SkillsDeps, 'dynamodb' | 'tables' | 'providerScope'>,
  owner: Owner,
): Promise<SkillSummary[]> {
  const rows = await listOwned(skillKind, deps, owner);
  return rows.map((row) => describeRow(row, deps.providerScope));
}
