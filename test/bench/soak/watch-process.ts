import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

export interface Watched {
  /** The longest delay of the event loop since the last time. */
  longestDelayMilliseconds: number;
  /** The most CPU of the main thread between two looks at its event loop, since the last time: other programs do not lengthen it. */
  longestTurnCpuMilliseconds: number;
  /** Memory after a collection. */
  residentMegabytes: number;
  heapMegabytes: number;
  externalMegabytes: number;
}

/** Loaded before the service: at each SIGUSR2 writes how its process is, into the file that the environment names. */
const file = process.env.SOAK_FILE;
if (isMainThread && file !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let cpuBefore = process.threadCpuUsage();
  let longestTurnCpuMilliseconds = 0;
  const look = () => {
    const { user, system } = process.threadCpuUsage(cpuBefore);
    longestTurnCpuMilliseconds = Math.max(longestTurnCpuMilliseconds, (user + system) / 1000);
    cpuBefore = process.threadCpuUsage();
  };
  const looking = setInterval(look, 1);
  looking.unref();
  process.on('SIGUSR2', () => {
    const longestDelayMilliseconds = delay.max / 1e6;
    collect();
    const { rss, heapUsed, external } = process.memoryUsage();
    const watched: Watched = {
      longestDelayMilliseconds,
      longestTurnCpuMilliseconds,
      residentMegabytes: rss / 2 ** 20,
      heapMegabytes: heapUsed / 2 ** 20,
      externalMegabytes: external / 2 ** 20,
    };
    writeFileSync(file, `${JSON.stringify(watched)}\n`, { flag: 'a' });
    setImmediate(() => {
      delay.reset();
      cpuBefore = process.threadCpuUsage();
      longestTurnCpuMilliseconds = 0;
    });
  });
}
