/** A first-come, first-served semaphore. `take` resolves with the function that gives the slot back. */
export function createSlots(count: number): { take(signal?: AbortSignal): Promise<() => void> } {
  const waiting: (() => void)[] = [];
  let free = count;

  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  function releaseOnce(): () => void {
    let released = false;
    return () => {
      if (!released) release();
      released = true;
    };
  }

  return {
    async take(signal) {
      signal?.throwIfAborted();
      if (free > 0) {
        free--;
        return releaseOnce();
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = () => {
        const position = waiting.indexOf(resolve);
        // A caller that was given its slot a moment ago stands in the queue no longer.
        if (position !== -1) waiting.splice(position, 1);
        reject(signal?.reason);
      };
      waiting.push(resolve);
      signal?.addEventListener('abort', abort, { once: true });
      await promise.finally(() => signal?.removeEventListener('abort', abort));
      return releaseOnce();
    },
  };
}
