/**
 * Works on the items in their order, on so many at a time. Rejects with the first failure. Work that is under way then is
 * not waited for, and further items may still be begun.
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
