import { backOff, type Principal, type UnresolvedReason } from '@errand/platform';
import type { StoreDeps, VersionsDeps } from './deps.ts';
import { isMeant, type Precondition } from './entity-tag.ts';
import type { Kind, Shape } from './kind.ts';
import { lastKnown, learnNames, recallEnabled } from './name-cache.ts';
import { namePattern } from './name-pattern.ts';
import { accountOwnerKey, askedOwners } from './owner.ts';
import { readContent, readNamed } from './store.ts';
import { contentNumber, type Named, type NamedRow, type Numbered } from './stored.ts';

/** A thing by its name, for its latest content, or one of its published versions. */
export interface Reference {
  name: string;
  version?: number;
  /** The owner of the thing that names it, whose things and those of a lower precedence alone are meant. */
  namedBy?: string;
}

/** A content as requests use it. `version` is absent if it is not that of a published version. */
type Versioned<Used> = Used & { version?: number };

/** A thing as one request uses it. */
export type Resolved<Used> = Versioned<Used> & { id: string; name: string; owner: string };

const maxAttempts = 8;

/**
 * Resolves a name for this caller: own things first, then the organisation's, then the provider's. Refuses what is
 * unresolved, and what is changed where the precondition means another state of the thing; never from memory.
 *
 * Takes no DynamoDB request if the process read the name at most `limits.keyCacheMilliseconds` ago, has the content, and
 * the precondition means it; else one; two for a version that is not the current one, or that became it since the process
 * last read the name and no precondition tells so, and for a thing that an earlier release wrote; more only while the
 * thing is being written.
 */
export async function resolveNamed<S extends Shape>(
  kind: Kind<S>,
  deps: VersionsDeps,
  principal: Principal,
  reference: Reference,
  precondition: Precondition = {},
): Promise<Resolved<S['used']>> {
  const owners = askedOwners(principal, reference.namedBy);
  const recalled = recallEnabled(deps, kind, owners, reference.name);
  if (recalled && !refusal(recalled, reference)) {
    const resolved = await apply(kind, deps, { row: recalled }, reference);
    if (resolved && isMeant(precondition, recalled, resolved.contentHash)) return resolved;
  }
  const asked = { owners, own: accountOwnerKey(principal), precondition };
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const found = await findEnabled(kind, deps, asked, reference);
    const resolved = await apply(kind, deps, found, reference);
    if (resolved && !isMeant(precondition, found.row, resolved.contentHash))
      throw kind.refuse.changed(reference.name);
    if (resolved) return resolved;
    // The thing was deleted or changed after its row was read.
    await backOff(deps, attempt);
  }
  throw kind.refuse.unresolved('unknown', reference.name);
}

async function findEnabled<S extends Shape>(
  kind: Kind<S>,
  deps: VersionsDeps,
  { owners, own, precondition }: { owners: readonly string[]; own: string; precondition: Precondition },
  reference: Reference,
): Promise<Named<S['content']>> {
  const { name } = reference;
  const unresolved = (reason: UnresolvedReason) => kind.refuse.unresolved(reason, name);
  // A malformed name is not looked up: nothing has it, and DynamoDB refuses keys longer than 1 KB.
  if (!namePattern.test(name)) throw unresolved('unknown');
  const held = lastKnown(deps, kind, owners, name).some((row) => {
    const content = kind.memory(deps).get(keyOf(row.id, wanted(row, reference)));
    return content && isMeant(precondition, row, content.contentHash);
  });
  const read = () => readNamed<S['content']>(deps, kind, owners, name, !held);
  const named = await learnNames(deps, kind, owners, name, read);
  const enabled = named.find(({ row }) => row.enabled);
  // A disabled thing of anyone else is not visible to the caller.
  const isOwn = named.some(({ row }) => row.owner === own);
  if (!enabled) throw unresolved(isOwn ? 'disabled' : 'unknown');
  const reason = refusal(enabled.row, reference);
  if (reason) throw unresolved(reason);
  return enabled;
}

/** Undefined if the content is missing. */
async function apply<S extends Shape>(
  kind: Kind<S>,
  deps: StoreDeps,
  { row, content }: Named<S['content']>,
  reference: Reference,
): Promise<Resolved<S['used']> | undefined> {
  const used = await readUsed(kind, deps, row.id, wanted(row, reference), content);
  return used && { id: row.id, name: row.name, owner: row.owner, ...used };
}

const wanted = (row: NamedRow, { version }: Reference): number => version ?? contentNumber(row);

function refusal(row: NamedRow, { version }: Reference): 'unversioned' | 'unknown_version' | undefined {
  if (version === undefined) return undefined;
  if (row.version === null) return 'unversioned';
  return version > row.version ? 'unknown_version' : undefined;
}

const keyOf = (id: string, number: number): string => `${id} ${number}`;

/** A content from this process's memory, from `copy` if it is the one, or from the table, which may not have it. */
async function readUsed<S extends Shape>(
  kind: Kind<S>,
  deps: StoreDeps,
  id: string,
  number: number,
  copy?: Numbered<S['content']>,
): Promise<Versioned<S['used']> | undefined> {
  const known = kind.memory(deps).get(keyOf(id, number));
  if (known) return known;
  const content = copy?.number === number ? copy : await readContent<S['content']>(deps, kind, id, number);
  return content && use(kind, deps, id, content);
}

/**
 * Makes the stored bytes usable. If they do not match the recorded digest, they have no version and are not remembered.
 * Nothing that is remembered needs to be forgotten: no write changes a content, one without a version included, no id
 * is given twice, and a deleted thing's contents are not asked for.
 */
async function use<S extends Shape>(
  kind: Kind<S>,
  deps: StoreDeps,
  id: string,
  content: Numbered<S['content']>,
): Promise<Versioned<S['used']>> {
  const { number } = content;
  const used = await kind.use(content);
  if (used.contentHash !== content.contentHash) return used;
  const versioned = { ...used, ...(number > 0 && { version: number }) };
  kind.memory(deps).set(keyOf(id, number), versioned, kind.usedBytes(used, content));
  return versioned;
}
