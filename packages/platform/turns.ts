/** Does one piece of work at a time, in the order in which they came. */
interface Turns {
  /** Resolves or rejects as the work does. Work that fails does not hold up what follows. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Whether any work is not done. */
  busy(): boolean;
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let undone = 0;
  return {
    run(work) {
      undone++;
      const done = last.then(work).finally(() => {
        undone--;
      });
      last = done.catch(() => {});
      return done;
    },
    busy: () => undone > 0,
  };
}
