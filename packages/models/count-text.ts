import { keptThread, limits, threadProgram } from '@errand/platform';

/** The JSON of a chat completion, and where counting its text stops. */
export interface CountTask {
  bytes: Uint8Array;
  most: number;
}

const thread = keptThread<CountTask, number>(threadProgram(import.meta.url, 'count-worker'), {
  memoryMegabytes: limits.countMegabytes,
  tasksAtOnce: limits.countsAtOnce,
  timeoutMilliseconds: limits.countMilliseconds,
  idleMilliseconds: limits.countIdleMilliseconds,
});

/**
 * Counts, in a thread, the text in the JSON of a chat completion by the o200k encoding, up to `most`. Pictures and files
 * are left out. Throws `ThreadError`, or the signal's reason.
 */
export const countText = (
  bytes: Uint8Array,
  most: number,
  options: { signal: AbortSignal; owner: string },
): Promise<number> => thread.ask({ bytes, most }, options);
