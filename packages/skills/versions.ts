import { DomainError, type Principal } from '@errand/platform';
import type { SkillsDeps } from './deps.ts';
import type { Precondition } from './entity-tag.ts';
import { canEdit, canSee, type SkillEditor } from './owner.ts';
import {
  contentNumber,
  type SkillContent,
  type SkillRow,
  type StoredSkill,
  type VersionRecord,
} from './skill.ts';
import { queryVersions, readContent, readRow } from './store.ts';
import { updateSkill } from './update-skill.ts';

interface VersionsPage {
  versions: VersionRecord[];
  /** The next page starts below this version; absent on the last page. */
  below?: number;
}

/** One page of published versions, newest first. Throws `skill_not_found`. */
export async function listVersions(
  deps: SkillsDeps,
  principal: Principal,
  id: string,
  page: { limit: number; below?: number },
): Promise<VersionsPage> {
  const row = await visibleRow(deps, principal, id);
  const newest = Math.min(contentNumber(row), (page.below ?? Number.POSITIVE_INFINITY) - 1);
  const oldest = Math.max(1, newest - page.limit + 1);
  const versions = newest < 1 ? [] : await queryVersions(deps, id, oldest, newest);
  return { versions, ...(versions.length > 0 && oldest > 1 && { below: oldest }) };
}

/** One published version. Throws `skill_not_found`, or `not_found` for a version that was never published. */
export async function getVersion(
  deps: SkillsDeps,
  principal: Principal,
  id: string,
  number: number,
): Promise<SkillContent> {
  return publishedContent(deps, await visibleRow(deps, principal, id), number);
}

/**
 * Publishes the instructions of an earlier version as the next one. Restoring the current instructions publishes
 * nothing. Throws `skill_not_found`, `not_found` for a version that was never published, `precondition_failed`.
 */
export async function restoreVersion(
  deps: SkillsDeps,
  editor: SkillEditor,
  id: string,
  number: number,
  precondition: Precondition = {},
): Promise<StoredSkill> {
  const row = await readRow(deps, id);
  if (!row || !canEdit(editor, row)) throw new DomainError('skill_not_found');
  const { instructions } = await publishedContent(deps, row, number);
  return updateSkill(deps, editor, id, { instructions }, precondition);
}

async function visibleRow(deps: SkillsDeps, principal: Principal, id: string): Promise<SkillRow> {
  const row = await readRow(deps, id);
  if (!row || !canSee(principal, row)) throw new DomainError('skill_not_found');
  return row;
}

async function publishedContent(deps: SkillsDeps, row: SkillRow, number: number): Promise<SkillContent> {
  const published = number >= 1 && number <= contentNumber(row);
  const content = published ? await readContent(deps, row.id, number) : undefined;
  if (!content) throw new DomainError('not_found');
  return content;
}
