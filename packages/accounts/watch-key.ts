import { readItem, type TimedStoreDeps } from '@errand/money';
import {
  DomainError,
  describeError,
  type KeyEnd,
  type KeyLimits,
  type Log,
  limits,
  type Principal,
  perConnection,
  startTimer,
} from '@errand/platform';
import { keyReadsOf } from './key-cache.ts';
import { endOf, isExpired, type KeyStanding } from './key-limits.ts';
import { itemKeys } from './store.ts';

type Key = Pick<Principal, 'keyId' | 'accountId'>;

interface WatchDeps extends TimedStoreDeps {
  log: Log;
}

interface Watch {
  listeners: Set<(end: KeyEnd) => void>;
  /** Cancels the next check. */
  stop(): void;
}

const watchesOf = perConnection(() => new Map<string, Watch>());

/** Undefined while the key works. A key without an item counts as revoked. */
export const readKeyEnd = async (deps: TimedStoreDeps, key: Key): Promise<KeyEnd | undefined> =>
  (await readPrincipal(deps, key)).end;

/** The key as a request of its own would have it now, or why it does not work. A key without an item counts as revoked. */
export async function readPrincipal(
  deps: TimedStoreDeps,
  { keyId, accountId, organisationId }: Key & Pick<Principal, 'organisationId'>,
): Promise<{ principal: Principal; end?: never } | { end: KeyEnd; principal?: never }> {
  const readAt = deps.clock();
  const item = await readItem<KeyStanding>(deps, itemKeys.accountKey(accountId, keyId));
  if (!item) return { end: 'revoked' };
  const end = endOf(item, deps.clock());
  if (end) return { end };
  keyReadsOf(deps).set(keyId, { readAt, limits: item.limits }, readAt);
  return { principal: { keyId, accountId, organisationId, limits: item.limits } };
}

/** What the key is held to. Costs a read only if the key was not read for `keyCacheMilliseconds`. */
export async function readKeyLimits(
  deps: TimedStoreDeps,
  { keyId, accountId }: Key,
): Promise<KeyLimits | undefined> {
  const read = keyReadsOf(deps).get(keyId, deps.clock());
  if (read) return read.limits;
  const item = await readItem<Pick<Principal, 'limits'>>(deps, itemKeys.accountKey(accountId, keyId));
  return item?.limits;
}

/**
 * Throws `unauthorized` if the key has ended since its request came in. Costs a read only if the key was not read for `keyCacheMilliseconds`.
 */
export async function requireKeyStill(deps: TimedStoreDeps, key: Key): Promise<void> {
  const read = keyReadsOf(deps).get(key.keyId, deps.clock());
  if (read && !isExpired(read.limits, deps.clock())) return;
  const end = await readKeyEnd(deps, key);
  if (end) throw new DomainError('unauthorized', { end });
}

/**
 * Calls back once when the key has ended, within `keyCacheMilliseconds` of that in whatever process. All work of this process with the key
 * shares one read every `limits.keyCheckMilliseconds`. A read that fails ends nothing. Returns the function that stops
 * the watch.
 */
export function watchKey(deps: WatchDeps, key: Key, onEnd: (end: KeyEnd) => void): () => void {
  const watches = watchesOf(deps);
  const watch = watches.get(key.keyId) ?? startWatch(deps, key);
  watch.listeners.add(onEnd);
  return () => {
    watch.listeners.delete(onEnd);
    if (watch.listeners.size === 0) endWatch(deps, key, watch);
  };
}

function startWatch(deps: WatchDeps, key: Key): Watch {
  const watch: Watch = { listeners: new Set(), stop() {} };
  watchesOf(deps).set(key.keyId, watch);
  const now = deps.clock();
  const readAt = keyReadsOf(deps).get(key.keyId, now)?.readAt;
  const wait = readAt === undefined ? 0 : Math.max(0, readAt + limits.keyCheckMilliseconds - now);
  checkAfter(deps, key, watch, wait);
  return watch;
}

function endWatch(deps: WatchDeps, { keyId }: Key, watch: Watch): void {
  watch.stop();
  const watches = watchesOf(deps);
  if (watches.get(keyId) === watch) watches.delete(keyId);
}

function checkAfter(deps: WatchDeps, key: Key, watch: Watch, milliseconds: number): void {
  watch.stop = startTimer(deps, milliseconds, () => {
    // The next check does not wait for this one, so that a slow read makes none late.
    checkAfter(deps, key, watch, limits.keyCheckMilliseconds);
    void check(deps, key, watch);
  });
}

async function check(deps: WatchDeps, key: Key, watch: Watch): Promise<void> {
  try {
    const end = await readKeyEnd(deps, key);
    if (end === undefined) return;
    endWatch(deps, key, watch);
    for (const onEnd of watch.listeners) onEnd(end);
  } catch (error) {
    deps.log.warn('key not checked', { keyId: key.keyId, ...describeError(error) });
  }
}
