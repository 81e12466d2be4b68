interface Waiting {
  owner: string;
  give(): void;
}

export interface Slots {
  /**
   * Resolves with the function that gives the slot back. Whoever holds the fewest slots is next, then whoever came
   * first: the callers of one owner wait for each other, and those of another one do not wait for all of them.
   */
  take(signal?: AbortSignal, owner?: string): Promise<() => void>;
}

/** A semaphore that owners share fairly. */
export function createSlots(count: number): Slots {
  const waiting: Waiting[] = [];
  const held = new Map<string, number>();
  let free = count;

  const heldBy = (owner: string): number => held.get(owner) ?? 0;

  function hold(owner: string): () => void {
    held.set(owner, heldBy(owner) + 1);
    let released = false;
    return () => {
      if (!released) release(owner);
      released = true;
    };
  }

  function release(owner: string): void {
    if (heldBy(owner) > 1) held.set(owner, heldBy(owner) - 1);
    else held.delete(owner);
    const fewest = Math.min(...waiting.map((each) => heldBy(each.owner)));
    const next = waiting.findIndex((each) => heldBy(each.owner) === fewest);
    if (next === -1) free++;
    else waiting.splice(next, 1)[0]?.give();
  }

  return {
    async take(signal, owner = '') {
      signal?.throwIfAborted();
      if (free > 0) {
        free--;
        return hold(owner);
      }
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const entry: Waiting = { owner, give: () => resolve(hold(owner)) };
      const abort = () => {
        const position = waiting.indexOf(entry);
        // A caller that was given its slot a moment ago stands in the queue no longer.
        if (position !== -1) waiting.splice(position, 1);
        reject(signal?.reason);
      };
      waiting.push(entry);
      signal?.addEventListener('abort', abort, { once: true });
      return promise.finally(() => signal?.removeEventListener('abort', abort));
    },
  };
}
