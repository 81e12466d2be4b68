import { createRecentCache, type KeyLimits, limits, type Principal, perConnection } from '@errand/platform';

/** Principals of known keys, by the key's hash. A revoked key may still pass for `limits.keyCacheMilliseconds`. */
export const keyCacheOf = perConnection(() => createRecentCache<Principal>(limits.keyCacheMilliseconds));

/** A read that found a key to work, and the limits that it found. */
interface KeyRead {
  readAt: number;
  limits: KeyLimits | undefined;
}

/** The last such read of each key, by the key's id. */
export const keyReadsOf = perConnection(() => createRecentCache<KeyRead>(limits.keyCacheMilliseconds));
