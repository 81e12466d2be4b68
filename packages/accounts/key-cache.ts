import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { limits, type Principal } from '@errand/platform';

const maxEntries = 10_000;

interface Entry {
  principal: Principal;
  readAt: number;
}

/** Known keys, by hash, for at most `limits.keyCacheMilliseconds`: that long a revoked key may still pass. */
export interface KeyCache {
  get(hash: string, now: number): Principal | undefined;
  set(hash: string, principal: Principal, now: number): void;
  delete(hash: string): void;
}

export function createKeyCache(capacity: number = maxEntries): KeyCache {
  const entries = new Map<string, Entry>();
  return {
    get(hash, now) {
      const entry = entries.get(hash);
      if (!entry) return undefined;
      const age = now - entry.readAt;
      if (age >= 0 && age < limits.keyCacheMilliseconds) return entry.principal;
      entries.delete(hash);
      return undefined;
    },
    set(hash, principal, now) {
      entries.delete(hash);
      if (entries.size >= capacity) {
        const [oldest] = entries.keys();
        if (oldest !== undefined) entries.delete(oldest);
      }
      entries.set(hash, { principal, readAt: now });
    },
    delete: (hash) => void entries.delete(hash),
  };
}

const caches = new WeakMap<DynamoDBDocumentClient, KeyCache>();

/** The cache lives as long as the connection that it was read through. */
export function keyCacheOf(dynamodb: DynamoDBDocumentClient): KeyCache {
  const cache = caches.get(dynamodb) ?? createKeyCache();
  caches.set(dynamodb, cache);
  return cache;
}
