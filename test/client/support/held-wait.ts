import type { Wait } from '@errand/client';

export interface HeldWait {
  wait: Wait;
  /** The pauses between tries that were asked for. They pass at once. */
  pauses: number[];
  /** Lets the connection fall silent: the time that the client listens for a sign of life is over. */
  endSilence(): Promise<void>;
}

/** How long a stream may be silent. No pause between tries is as long, unless the service asks for it. */
const silenceMilliseconds = 45_000;

/** Time that passes when the test says so. */
export function holdWait(): HeldWait {
  const pauses: number[] = [];
  const listening = new Set<() => void>();
  let begun = Promise.withResolvers<void>();
  return {
    pauses,
    async endSilence() {
      if (listening.size === 0) await begun.promise;
      for (const end of listening) end();
    },
    wait(milliseconds, signal) {
      signal?.throwIfAborted();
      if (milliseconds !== silenceMilliseconds) {
        pauses.push(milliseconds);
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        listening.add(resolve);
        begun.resolve();
        begun = Promise.withResolvers();
        signal?.addEventListener('abort', () => {
          listening.delete(resolve);
          reject(signal.reason);
        });
      });
    },
  };
}
