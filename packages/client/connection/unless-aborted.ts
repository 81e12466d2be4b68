/** The outcome of work that goes on for others too; rejects with the signal's reason if it is aborted before. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  let leave = () => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', leave));
}
