/**
 * Works on the items in their order, on at most this many at a time. Rejects with the first failure. Running work
 * is then not waited for, and further items may still be started.
 */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  const workInTurn = async () => {
    for (const [index, item] of waiting) await work(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workInTurn));
}
