/** Bounds the memory of the bodies whose requests are still being answered. */
interface WholeBodies {
  /** Returns what gives the memory back; undefined if there is none for this owner. */
  take(owner: string, bytes: number): (() => void) | undefined;
}

/** An owner may hold up to twice as many bytes as are free then, so that there are some for the next. */
export function createWholeBodies(limitBytes: number): WholeBodies {
  const held = new Map<string, number>();
  let free = limitBytes;
  const change = (owner: string, bytes: number) => {
    const now = (held.get(owner) ?? 0) + bytes;
    free -= bytes;
    if (now > 0) held.set(owner, now);
    else held.delete(owner);
  };
  return {
    take(owner, bytes) {
      if ((held.get(owner) ?? 0) + bytes > 2 * (free - bytes)) return undefined;
      change(owner, bytes);
      return () => change(owner, -bytes);
    },
  };
}
