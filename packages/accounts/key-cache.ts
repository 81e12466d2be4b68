import { limits, type Principal } from '@errand/platform';
import { perConnection } from './per-connection.ts';
import { createRecentCache } from './recent-cache.ts';

/** Known keys, by hash. A revoked one may still pass for `limits.keyCacheMilliseconds`. */
export const keyCacheOf = perConnection(() => createRecentCache<Principal>(limits.keyCacheMilliseconds));
