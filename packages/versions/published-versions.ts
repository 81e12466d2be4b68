import { DomainError, type Principal } from '@errand/platform';
import type { StoreDeps, VersionsDeps } from './deps.ts';
import type { Precondition } from './entity-tag.ts';
import type { Kind, Shape } from './kind.ts';
import { canEdit, canSee, type Editor } from './owner.ts';
import { queryVersions, readContent, readRow } from './store.ts';
import { contentNumber, type Numbered, type Row, type Stored } from './stored.ts';
import { changeNamed } from './update-named.ts';

interface VersionsPage<Recorded> {
  versions: Numbered<Recorded>[];
  /** The next page starts below this version; absent on the last page. */
  below?: number;
}

/** One page of published versions, newest first. Refuses what is missing. */
export async function listVersions<S extends Shape>(
  kind: Kind<S>,
  deps: StoreDeps,
  principal: Principal,
  id: string,
  page: { limit: number; below?: number },
): Promise<VersionsPage<S['recorded']>> {
  const row = await visibleRow(kind, deps, principal, id);
  const newest = Math.min(contentNumber(row), (page.below ?? Number.POSITIVE_INFINITY) - 1);
  const oldest = Math.max(1, newest - page.limit + 1);
  const versions =
    newest < 1 ? [] : await queryVersions<Numbered<S['recorded']>>(deps, kind, id, oldest, newest);
  const below = versions.at(-1)?.number ?? 1;
  return { versions, ...(below > 1 && { below }) };
}

/** One published version. Refuses what is missing; throws `not_found` for a version that was never published. */
export async function getVersion<S extends Shape>(
  kind: Kind<S>,
  deps: StoreDeps,
  principal: Principal,
  id: string,
  number: number,
): Promise<Numbered<S['content']>> {
  return publishedContent(kind, deps, await visibleRow(kind, deps, principal, id), number);
}

/**
 * Publishes the content of an earlier version as the next one. Restoring the current content publishes nothing. Refuses
 * what is missing and a precondition that fails; throws `not_found` for a version that was never published.
 */
export async function restoreVersion<S extends Shape>(
  kind: Kind<S>,
  deps: VersionsDeps,
  editor: Editor,
  id: string,
  number: number,
  precondition?: Precondition,
): Promise<Stored<S['content']>> {
  const row = await readRow(deps, kind, id);
  if (!row || !canEdit(editor, row)) throw kind.refuse.missing();
  const authored = kind.authored.of(await publishedContent(kind, deps, row, number));
  return changeNamed(kind, deps, { editor, id, precondition }, {}, () => authored);
}

async function visibleRow<S extends Shape>(
  kind: Kind<S>,
  deps: StoreDeps,
  principal: Principal,
  id: string,
): Promise<Row> {
  const row = await readRow(deps, kind, id);
  if (!row || !canSee(principal, row)) throw kind.refuse.missing();
  return row;
}

async function publishedContent<S extends Shape>(
  kind: Kind<S>,
  deps: StoreDeps,
  row: Row,
  number: number,
): Promise<Numbered<S['content']>> {
  const published = number >= 1 && number <= contentNumber(row);
  const content = published ? await readContent<S['content']>(deps, kind, row.id, number) : undefined;
  if (!content) throw new DomainError('not_found');
  return content;
}
