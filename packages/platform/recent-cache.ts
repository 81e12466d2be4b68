const maxEntries = 10_000;

/** Keeps each value for a limited time after it was read. A full cache drops the value that was read longest ago. */
export interface RecentCache<Value> {
  get(key: string, now: number): Value | undefined;
  /** `readAt` in milliseconds, as the clock gives it. */
  set(key: string, value: Value, readAt: number): void;
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
    set(key, value, readAt) {
      entries.delete(key);
      if (entries.size >= capacity) {
        const [oldest] = entries.keys();
        if (oldest !== undefined) entries.delete(oldest);
      }
      entries.set(key, { value, readAt });
    },
    delete: (key) => void entries.delete(key),
  };
}
