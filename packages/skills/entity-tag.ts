import { DomainError } from '@errand/platform';
import type { SkillRow } from './skill.ts';

/** `If-Match` as sent; absent, anything goes. */
export interface Precondition {
  ifMatch?: string;
}

/** One tag for each form in which a skill can be sent. */
export const entityTag = (row: SkillRow, form: 'json' | 'markdown' = 'json'): string =>
  form === 'json' ? `"${row.revision}"` : `"${row.revision}-markdown"`;

const listedTag = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** RFC 9110: `If-Match` compares strongly, so that a weak tag matches nothing; what is no list of tags, neither. */
export function checkPrecondition(row: SkillRow, { ifMatch }: Precondition): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const current = [entityTag(row), entityTag(row, 'markdown')];
  const strong = [...ifMatch.matchAll(listedTag)].filter(([, weak]) => !weak);
  if (!strong.some(([, , tag]) => tag !== undefined && current.includes(tag)))
    throw new DomainError('precondition_failed');
}

/** Whether the caller's copy is the one it would be sent. `If-None-Match` compares weakly. */
export function isFresh(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(listedTag)].some(([, , listed]) => listed === tag);
}
