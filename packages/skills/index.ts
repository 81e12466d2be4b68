export { type Precondition, readPrecondition } from '@errand/versions';
export { fenced } from './block.ts';
export type { SkillsDeps } from './deps.ts';
export { skillFieldErrors } from './field-errors.ts';
export { injectSkill } from './inject-skill.ts';
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
export { describeSkill, type SkillDetail, type SkillSummary, type StoredSkill } from './skill.ts';
export { parseSkillFormField } from './skill-field.ts';
export { changedSkill, showSkill, skillHeaders, skillIfMatch } from './skill-headers.ts';
export {
  createSkill,
  deleteSkill,
  getSkill,
  importUnversionedSkill,
  listOwnedSkills,
  listSkills,
  sweepDeletedSkills,
  updateSkill,
} from './skills.ts';
