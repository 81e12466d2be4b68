import type { Part } from './part.ts';
import { type RunningService, runningService } from './service-file.ts';

const watchMilliseconds = 2_000;
/** A busy machine may miss one. */
const missesAllowed = 2;

/**
 * For a part that runs alone: what it stands on may stop, or be started anew at other addresses, and the part would go
 * on as if it served. `onGone` is called once then.
 */
export function watchAws(
  dataDir: string,
  { endpoints }: RunningService,
  onGone: (reason: string) => void,
): Part {
  let misses = 0;
  let stopped = false;
  const look = async () => {
    const now = await runningService(dataDir);
    const isThere = JSON.stringify(now?.endpoints) === JSON.stringify(endpoints);
    misses = isThere ? 0 : misses + 1;
    if (misses <= missesAllowed || stopped) return;
    stop();
    onGone(`The embedded AWS of ${dataDir} has ended. Start this part again once it runs.`);
  };
  const timer = setInterval(() => void look(), watchMilliseconds);
  const stop = () => {
    stopped = true;
    clearInterval(timer);
  };
  return { stop: async () => stop() };
}
