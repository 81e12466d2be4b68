import { isDeepStrictEqual } from 'node:util';
import { ConditionsFailed, toIso, withChanges } from '@errand/platform';
import type { VersionsDeps } from './deps.ts';
import { checkPrecondition, type Precondition } from './entity-tag.ts';
import type { Kind, NamedPatch, Shape } from './kind.ts';
import { writeNames } from './name-cache.ts';
import { canEdit, type Editor } from './owner.ts';
import { retryCollisions } from './retry-collisions.ts';
import { readStored } from './store.ts';
import { contentNumber, type Stored } from './stored.ts';
import { replaceWrites } from './writes.ts';

/**
 * Changes the fields of the patch. Another content publishes the next version. Without a precondition the last write
 * wins, and two simultaneous writes of contents publish a version each. A patch that changes nothing writes nothing.
 * Refuses what is missing, a precondition that fails, and a name that is taken.
 */
export const updateNamed = <S extends Shape>(
  kind: Kind<S>,
  deps: VersionsDeps,
  editor: Editor,
  id: string,
  patch: S['patch'],
  precondition?: Precondition,
): Promise<Stored<S['content']>> =>
  changeNamed(kind, deps, { editor, id, precondition }, patch, (before) =>
    kind.authored.changed(before, patch),
  );

interface Target {
  editor: Editor;
  id: string;
  precondition?: Precondition;
}

export async function changeNamed<S extends Shape>(
  kind: Kind<S>,
  deps: VersionsDeps,
  { editor, id, precondition = {} }: Target,
  { name, description, enabled }: NamedPatch,
  next: (before: S['authored']) => S['authored'],
): Promise<Stored<S['content']>> {
  let measured: { authored: S['authored']; content: S['content'] } | undefined;
  return retryCollisions(deps, kind, async () => {
    const before = await readStored<S['content']>(deps, kind, id);
    if (!before || !canEdit(editor, before.row)) throw kind.refuse.missing();
    checkPrecondition(before.row, precondition);
    const row = withChanges(before.row, { name, description, enabled });
    const authoredBefore = kind.authored.of(before.content);
    const authored = next(authoredBefore);
    if (isDeepStrictEqual(authored, authoredBefore))
      return isDeepStrictEqual(row, before.row) ? before : replace(kind, deps, before, row);
    if (!measured || !isDeepStrictEqual(measured.authored, authored))
      measured = { authored, content: await kind.measure(authored) };
    return replace(kind, deps, before, row, measured.content);
  });
}

async function replace<S extends Shape>(
  kind: Kind<S>,
  deps: VersionsDeps,
  before: Stored<S['content']>,
  row: Stored<S['content']>['row'],
  content?: S['content'],
): Promise<Stored<S['content']>> {
  const now = toIso(deps.clock());
  const number = contentNumber(before.row) + 1;
  const after: Stored<S['content']> = {
    row: {
      ...row,
      ...(content && { version: number }),
      revision: before.row.revision + 1,
      updatedAt: now,
    },
    content: content ? { ...content, number, createdAt: now } : before.content,
  };
  try {
    await writeNames(deps, kind, [before.row, after.row], replaceWrites(deps, kind, before, after));
  } catch (error) {
    if (error instanceof ConditionsFailed && !error.has(`${kind.noun}-unchanged`) && error.has('name-free'))
      throw kind.refuse.nameTaken(after.row.name);
    throw error;
  }
  return after;
}
