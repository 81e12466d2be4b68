import type { ResolvedSkill } from './resolve-skill.ts';

/** The headers of every response that a skill has shaped (docs/api.md, Skills). */
export function skillHeaders(skill: Omit<ResolvedSkill, 'block'>): Record<string, string> {
  return {
    'X-Skill': skill.name,
    'X-Skill-Injected-Tokens': String(skill.injectedTokens),
    'X-Skill-Content-Hash': skill.contentHash,
    ...(skill.version !== undefined && { 'X-Skill-Version': String(skill.version) }),
  };
}
