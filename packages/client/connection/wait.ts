/** Resolves after this time, and rejects with the signal's reason if it is aborted before. */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** What a timer of browsers and Node can be set to. */
const longestTimer = 2 ** 31 - 1;

export const wait: Wait = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      },
      Math.min(milliseconds, longestTimer),
    );
    signal?.addEventListener('abort', leave, { once: true });
  });
