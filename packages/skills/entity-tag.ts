import { DomainError, listedTags } from '@errand/platform';
import type { SkillRow } from './skill.ts';

/** The `If-Match` header as sent. Without it there is no precondition. */
export interface Precondition {
  ifMatch?: string;
}

/** The strong entity tag of a skill, which differs between its JSON and its `SKILL.md`. */
export const entityTag = (row: SkillRow, form: 'json' | 'markdown' = 'json'): string =>
  form === 'json' ? `"${row.revision}"` : `"${row.revision}-markdown"`;

/**
 * Throws `precondition_failed` unless `If-Match` lists a tag of the skill. RFC 9110 compares `If-Match` strongly: weak
 * tags never match. A malformed header has no tags.
 */
export function checkPrecondition(row: SkillRow, { ifMatch }: Precondition): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const current = [entityTag(row), entityTag(row, 'markdown')];
  if (!listedTags(ifMatch).some(({ tag, isWeak }) => !isWeak && current.includes(tag)))
    throw new DomainError('precondition_failed');
}
