import type { ResolvedSkill } from './resolve-skill.ts';

/**
 * The headers of every response that a skill has shaped. `X-Skill-Version` is left out if the instructions are not
 * those of a published version.
 */
export function skillHeaders(skill: Omit<ResolvedSkill, 'block'>): Record<string, string> {
  return {
    'X-Skill': skill.name,
    'X-Skill-Injected-Tokens': String(skill.injectedTokens),
    'X-Skill-Content-Hash': skill.contentHash,
    ...(skill.version !== undefined && { 'X-Skill-Version': String(skill.version) }),
  };
}
