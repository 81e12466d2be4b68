import {
  createRecentCache,
  limits,
  type NamedWrite,
  perConnection,
  type RecentCache,
  transact,
} from '@errand/platform';
import type { StoreDeps, VersionsDeps } from './deps.ts';
import { itemKeys } from './item-keys.ts';
import type { KindKeys } from './kind.ts';
import type { Named, NamedRow, Row } from './stored.ts';

interface KnownName {
  /** Absent if the owner had nothing of that name. */
  row?: NamedRow;
  readAt: number;
}

interface NameCache {
  /**
   * Rows by owner and name. Entries that are too old to be used stay, because they tell which contents may still be
   * current.
   */
  known: RecentCache<KnownName>;
  /** Writes of this process so far. A read that a write overtook is not remembered. */
  writes: number;
}

const cacheOf = perConnection<NameCache>(() => ({
  known: createRecentCache(Number.POSITIVE_INFINITY),
  writes: 0,
}));

type TimedDeps = Pick<VersionsDeps, 'dynamodb' | 'clock'>;

function keyOf(kind: KindKeys, owner: string, name: string): string {
  const { pk, sk } = itemKeys(kind).name(owner, name);
  return `${pk} ${sk}`;
}

/**
 * The enabled thing that precedence finds, as the names were at most `limits.keyCacheMilliseconds` ago. Undefined unless
 * all names that decide it are known.
 */
export function recallEnabled(
  deps: TimedDeps,
  kind: KindKeys,
  owners: readonly string[],
  name: string,
): NamedRow | undefined {
  const { known } = cacheOf(deps);
  const now = deps.clock();
  for (const owner of owners) {
    const entry = known.get(keyOf(kind, owner, name), now);
    if (!entry || now - entry.readAt >= limits.keyCacheMilliseconds) return undefined;
    if (entry.row?.enabled) return entry.row;
  }
  return undefined;
}

/** The owners' things of this name as they were last read, however long ago. */
export function lastKnown(
  deps: TimedDeps,
  kind: KindKeys,
  owners: readonly string[],
  name: string,
): NamedRow[] {
  const { known } = cacheOf(deps);
  const now = deps.clock();
  return owners.flatMap((owner) => known.get(keyOf(kind, owner, name), now)?.row ?? []);
}

/** Reads the things of a name and remembers their rows. */
export async function learnNames<Content>(
  deps: TimedDeps,
  kind: KindKeys,
  owners: readonly string[],
  name: string,
  read: () => Promise<Named<Content>[]>,
): Promise<Named<Content>[]> {
  const cache = cacheOf(deps);
  const { writes } = cache;
  const readAt = deps.clock();
  const found = await read();
  if (cache.writes !== writes) return found;
  for (const owner of owners) {
    const mine = found.find(({ row }) => row.owner === owner);
    cache.known.set(keyOf(kind, owner, name), { row: mine && essentials(mine.row), readAt }, readAt);
  }
  return found;
}

/** Without the description, which may be 2 KB. */
const essentials = ({ id, owner, name, enabled, version, revision }: NamedRow): NamedRow => ({
  id,
  owner,
  name,
  enabled,
  version,
  revision,
});

/** Writes things whose rows are, or were, `rows`. This process forgets their names, also if it cannot tell the outcome. */
export async function writeNames(
  deps: StoreDeps,
  kind: KindKeys,
  rows: readonly Row[],
  writes: readonly NamedWrite[],
): Promise<void> {
  try {
    await transact(deps, writes);
  } finally {
    const cache = cacheOf(deps);
    cache.writes++;
    for (const { owner, name } of rows) cache.known.delete(keyOf(kind, owner, name));
  }
}
