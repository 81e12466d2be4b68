import { textParameter } from '@errand/platform';
import type { Context } from 'hono';
import { skillFieldErrors } from './field-errors.ts';
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

/**
 * Sets the headers of the request's skill on whatever is answered from now on, errors included, in place of those of
 * another one. Does nothing without a skill, or for a request that was answered while its body came.
 */
export function showSkill(
  c: Pick<Context, 'header' | 'finalized'>,
  skill: Omit<ResolvedSkill, 'block'> | undefined,
): void {
  if (!skill || c.finalized) return;
  const headers = skillHeaders(skill);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  if (skill.version === undefined) c.header('X-Skill-Version', undefined);
}

/** The header of requests that take `skills`. */
export const skillIfMatch = {
  'If-Match': textParameter(
    'With `skills`: entity tags of the skill, or digests of its instructions in quotes, of which one must be current.',
    '"3-skill_1"',
  ),
};

/** The refusal of a request whose skill is another. */
export const changedSkill = {
  description: 'The skill is not as `If-Match` says.',
  body: skillFieldErrors.skill_changed({ name: 'tone' }).body,
};
