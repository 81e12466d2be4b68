import { hasCurrent, preferredType } from '@errand/platform';
import type { Context } from 'hono';
import type { SkillsDeps } from './deps.ts';
import { entityTag } from './entity-tag.ts';
import { markdownType } from './read-request.ts';
import { describeSkill, type StoredSkill } from './skill.ts';
import { formatSkillMarkdown } from './skill-markdown.ts';

export function sendSkill(deps: SkillsDeps, c: Context, stored: StoredSkill, status: 200 | 201 = 200) {
  c.header('ETag', entityTag(stored.row));
  return c.json(describeSkill(stored, deps.providerScope), status);
}

/** Answers with JSON or, if `Accept` prefers it, with a `SKILL.md`; 304 if `If-None-Match` has the current tag. */
export function sendAccepted(deps: SkillsDeps, c: Context, stored: StoredSkill) {
  const type = preferredType(c, ['application/json', markdownType]);
  const tag = entityTag(stored.row, type === markdownType ? 'markdown' : 'json');
  c.header('Vary', 'Accept');
  c.header('ETag', tag);
  if (hasCurrent(c.req.header('If-None-Match'), tag)) return c.body(null, 304);
  const skill = describeSkill(stored, deps.providerScope);
  if (type !== markdownType) return c.json(skill);
  return c.body(formatSkillMarkdown(skill), 200, { 'Content-Type': `${markdownType}; charset=utf-8` });
}
