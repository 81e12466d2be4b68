import { createRecentCache, type KeyLimits, limits, type Principal, perConnection } from '@errand/platform';

/** Principals of known keys, by the key's hash. A revoked key may still pass for `limits.keyCacheMilliseconds`. */
export const keyCacheOf = perConnection(() => createRecentCache<Principal>(limits.keyCacheMilliseconds));

/** The time of a read that found a working key, and the key's limits at that time. */
interface KeyRead {
  readAt: number;
  limits: KeyLimits | undefined;
}

/** The last read that found the key working, by the key's id. */
export const keyReadsOf = perConnection(() => createRecentCache<KeyRead>(limits.keyCacheMilliseconds));
