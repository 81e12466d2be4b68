import {
  createRecentCache,
  limits,
  type NamedWrite,
  perConnection,
  type RecentCache,
  transact,
} from '@errand/platform';
import type { SkillsDeps, StoreDeps } from './deps.ts';
import type { NamedRow, NamedSkill, SkillRow } from './skill.ts';

interface KnownName {
  /** Absent if the owner had no skill of that name. */
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

type TimedDeps = Pick<SkillsDeps, 'dynamodb' | 'clock'>;

const keyOf = (owner: string, name: string): string => `${owner} ${name}`;

/**
 * The enabled skill that precedence finds, as the names were at most `limits.keyCacheMilliseconds` ago. Undefined unless
 * all names that decide it are known.
 */
export function recallEnabled(
  deps: TimedDeps,
  owners: readonly string[],
  name: string,
): NamedRow | undefined {
  const { known } = cacheOf(deps);
  const now = deps.clock();
  for (const owner of owners) {
    const entry = known.get(keyOf(owner, name), now);
    if (!entry || now - entry.readAt >= limits.keyCacheMilliseconds) return undefined;
    if (entry.row?.enabled) return entry.row;
  }
  return undefined;
}

/** The owners' skills of this name as they were last read, however long ago. */
export function lastKnown(deps: TimedDeps, owners: readonly string[], name: string): NamedRow[] {
  const { known } = cacheOf(deps);
  const now = deps.clock();
  return owners.flatMap((owner) => known.get(keyOf(owner, name), now)?.row ?? []);
}

/** Reads the skills of a name and remembers their rows. */
export async function learnNames(
  deps: TimedDeps,
  owners: readonly string[],
  name: string,
  read: () => Promise<NamedSkill[]>,
): Promise<NamedSkill[]> {
  const cache = cacheOf(deps);
  const { writes } = cache;
  const readAt = deps.clock();
  const skills = await read();
  if (cache.writes !== writes) return skills;
  for (const owner of owners) {
    const found = skills.find(({ row }) => row.owner === owner);
    cache.known.set(keyOf(owner, name), { row: found && essentials(found.row), readAt }, readAt);
  }
  return skills;
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

/** Writes skills whose rows are, or were, `rows`. This process forgets their names, also if it cannot tell the outcome. */
export async function writeNames(
  deps: StoreDeps,
  rows: readonly SkillRow[],
  writes: readonly NamedWrite[],
): Promise<void> {
  try {
    await transact(deps, writes);
  } finally {
    const cache = cacheOf(deps);
    cache.writes++;
    for (const { owner, name } of rows) cache.known.delete(keyOf(owner, name));
  }
}
