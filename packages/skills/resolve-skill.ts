import { DomainError, type Principal } from '@errand/platform';
import { type Precondition, type Resolved, resolveNamed } from '@errand/versions';
import type { SkillsDeps } from './deps.ts';
import { readSkillField } from './skill-field.ts';
import { type SkillShape, skillKind } from './skill-kind.ts';

/**
 * The skill as one request uses it. A run stores it, so that later changes of the skill do not affect the run. The id
 * is absent in runs of releases that did not store it.
 */
export type ResolvedSkill = Omit<Resolved<SkillShape['used']>, 'id' | 'owner'> & { id?: string };

/** What stays known of a skill after the request that it shaped. */
export interface SkillIdentity {
  id?: string;
  name: string;
  version?: number;
}

export const skillIdentity = ({ id, name, version }: ResolvedSkill): SkillIdentity => ({
  id,
  name,
  version,
});

/**
 * Resolves a request's `skills` field for this caller, as `resolveNamed` does. `namedBy`: the owner of the agent whose
 * field it is. Undefined without the field. Throws
 * `skills_disabled`, `skill_param_invalid`, `skill_unresolved`, and `skill_changed` where the precondition means another
 * state of the skill.
 */
export async function resolveSkill(
  deps: SkillsDeps,
  principal: Principal,
  field: unknown,
  precondition?: Precondition,
  namedBy?: string,
): Promise<ResolvedSkill | undefined> {
  if (field === undefined) return undefined;
  if (!deps.skillsEnabled) throw new DomainError('skills_disabled');
  const reference = { ...readSkillField(field), namedBy };
  const { owner: _, ...skill } = await resolveNamed(skillKind, deps, principal, reference, precondition);
  return skill;
}
