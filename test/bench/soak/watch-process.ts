import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

export interface Watched {
  /** The longest delay of the event loop since the second before. */
  longestDelayMilliseconds: number;
  residentMegabytes: number;
  heapMegabytes: number;
}

/** Loaded before the service: writes once a second how its process is, into the file that the environment names. */
const file = process.env.SOAK_FILE;
if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  setInterval(() => {
    const { rss, heapUsed } = process.memoryUsage();
    const watched: Watched = {
      longestDelayMilliseconds: delay.max / 1e6,
      residentMegabytes: rss / 2 ** 20,
      heapMegabytes: heapUsed / 2 ** 20,
    };
    delay.reset();
    writeFileSync(file, `${JSON.stringify(watched)}\n`, { flag: 'a' });
  }, 1_000).unref();
}
