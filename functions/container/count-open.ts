import type { Log } from '@errand/platform';

const everyMilliseconds = 60_000;

/** Logs each minute how much is in work here: the stage has as many containers as the average asks for. Returns its end. */
export function countOpen(log: Log, area: string, inFlight: () => number): () => void {
  const timer = setInterval(
    () => log.info('work in a container', { area, open: inFlight() }),
    everyMilliseconds,
  );
  return () => clearInterval(timer);
}
