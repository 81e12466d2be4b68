export { fenced } from './block.ts';
export { createSkill, importUnversionedSkill } from './create-skill.ts';
export { deleteSkill } from './delete-skill.ts';
export type { SkillsDeps } from './deps.ts';
export type { Precondition } from './entity-tag.ts';
export { skillFieldErrors } from './field-errors.ts';
export { injectSkill } from './inject-skill.ts';
export { listOwnedSkills } from './list-owned.ts';
export type { SkillOwner } from './owner.ts';
export { readPrecondition } from './read-request.ts';
export { getSkill, listSkills } from './read-skills.ts';
export { type ResolvedSkill, resolveSkill, type SkillIdentity, skillIdentity } from './resolve-skill.ts';
export { type SkillRoutesDeps, skillRoutes } from './routes.ts';
export {
  skillDetailSchema,
  skillFieldErrorSchema,
  skillFieldSchema,
  skillSummarySchema,
  validateNewSkill,
  validateSkillPatch,
} from './schema.ts';
export {
  describeRow,
  describeSkill,
  type SkillDetail,
  type SkillSummary,
  type StoredSkill,
} from './skill.ts';
export { parseSkillFormField } from './skill-field.ts';
export { changedSkill, showSkill, skillHeaders, skillIfMatch } from './skill-headers.ts';
export { sweepDeletedSkills } from './sweep-deleted.ts';
export { updateSkill } from './update-skill.ts';
