import { DomainError, type Principal } from '@errand/platform';
import {
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
  const enabled = (await listSkills(deps, principal)).filter((skill) => skill.enabled);
  return enabled.filter(({ name }, i) => enabled[i - 1]?.name !== name);
}

/** Throws `skill_not_found` and `skills_disabled`. */
export async function findSkill(deps: SkillsDeps, principal: Principal, name: string): Promise<SkillDetail> {
  const found = (await usableSkills(deps, principal)).find((skill) => skill.name === name);
  if (!found) throw new DomainError('skill_not_found');
  return describeSkill(await getSkill(deps, principal, found.id), deps.providerScope);
}
