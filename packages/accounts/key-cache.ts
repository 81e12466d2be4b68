import { createRecentCache, limits, type Principal, perConnection } from '@errand/platform';

/** Principals of known keys, by the key's hash. A revoked key may still pass for `limits.keyCacheMilliseconds`. */
export const keyCacheOf = perConnection(() => createRecentCache<Principal>(limits.keyCacheMilliseconds));

/** When keys were last read and found to work, by their ids. */
export const keyReadTimesOf = perConnection(() => createRecentCache<number>(limits.keyCacheMilliseconds));
