const maxEntries = 10_000;

/** What was read lately: each entry for at most the stated time, and the ones read longest ago leave first. */
export interface RecentCache<Value> {
  get(key: string, now: number): Value | undefined;
  /** `now`: when it was read. */
  set(key: string, value: Value, now: number): void;
  delete(key: string): void;
}

export function createRecentCache<Value>(
  milliseconds: number,
  capacity: number = maxEntries,
): RecentCache<Value> {
  const entries = new Map<string, { value: Value; readAt: number }>();
  return {
    get(key, now) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      const age = now - entry.readAt;
      if (age >= 0 && age < milliseconds) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set(key, value, now) {
      entries.delete(key);
      if (entries.size >= capacity) {
        const [oldest] = entries.keys();
        if (oldest !== undefined) entries.delete(oldest);
      }
      entries.set(key, { value, readAt: now });
    },
    delete: (key) => void entries.delete(key),
  };
}
