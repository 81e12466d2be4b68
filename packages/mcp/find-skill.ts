import { DomainError, type Principal } from '@errand/platform';
import {
  describeRow,
  describeSkill,
  getSkill,
  listSkills,
  type SkillDetail,
  type SkillSummary,
  type SkillsDeps,
} from '@errand/skills';

/** The skills that a request of this key may name, by name: of one name the first. Throws `skills_disabled`. */
export async function usableSkills(deps: SkillsDeps, principal: Principal): Promise<SkillSummary[]> {
  if (!deps.skillsEnabled) throw new DomainError('skills_disabled');
  const rows = (await listSkills(deps, principal)).filter(({ enabled }) => enabled);
  const first = rows.filter(({ name }, index) => rows.findIndex((row) => row.name === name) === index);
  return first.map((row) => describeRow(row, deps.providerScope));
}

/** Throws `skill_not_found` and `skills_disabled`. */
export async function findSkill(deps: SkillsDeps, principal: Principal, name: string): Promise<SkillDetail> {
  const found = (await usableSkills(deps, principal)).find((skill) => skill.name === name);
  if (!found) throw new DomainError('skill_not_found');
  return describeSkill(await getSkill(deps, principal, found.id), deps.providerScope);
}
