/** Keeps values of up to `capacityBytes` together. A full cache drops the values that were used longest ago. */
export interface SizedCache<Value> {
  get(key: string): Value | undefined;
  /** A value larger than the whole cache is not kept. */
  set(key: string, value: Value, bytes: number): void;
}

export function createSizedCache<Value>(capacityBytes: number): SizedCache<Value> {
  const entries = new Map<string, { value: Value; bytes: number }>();
  let used = 0;
  const remove = (key: string): { value: Value; bytes: number } | undefined => {
    const entry = entries.get(key);
    if (!entry) return undefined;
    entries.delete(key);
    used -= entry.bytes;
    return entry;
  };
  const add = (key: string, value: Value, bytes: number): void => {
    entries.set(key, { value, bytes });
    used += bytes;
  };
  return {
    get(key) {
      const entry = remove(key);
      if (entry) add(key, entry.value, entry.bytes);
      return entry?.value;
    },
    set(key, value, bytes) {
      remove(key);
      if (bytes > capacityBytes) return;
      for (const oldest of entries.keys()) {
        if (used + bytes <= capacityBytes) break;
        remove(oldest);
      }
      add(key, value, bytes);
    },
  };
}
