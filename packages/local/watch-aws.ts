import { type RunningService, runningService } from './service-file.ts';
import type { Stoppable } from './stoppable.ts';

const watchMilliseconds = 2_000;
/** On a busy machine a check may fail though the embedded AWS runs. */
const missesAllowed = 2;

/**
 * Calls `onGone` once when the embedded AWS has stopped or was started again at other addresses. A part that runs alone
 * would not notice it otherwise.
 */
export function watchAws(
  dataDir: string,
  { endpoints }: RunningService,
  onGone: (reason: string) => void,
): Stoppable {
  let misses = 0;
  let stopped = false;
  const check = async () => {
    const now = await runningService(dataDir).catch(() => undefined);
    const isThere = JSON.stringify(now?.endpoints) === JSON.stringify(endpoints);
    misses = isThere ? 0 : misses + 1;
    if (misses <= missesAllowed || stopped) return;
    stop();
    onGone(`The embedded AWS of ${dataDir} has ended. Start this part again once it runs.`);
  };
  const timer = setInterval(() => void check(), watchMilliseconds);
  const stop = () => {
    stopped = true;
    clearInterval(timer);
  };
  return { stop: async () => stop() };
}
