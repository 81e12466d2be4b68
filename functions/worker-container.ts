import { allowOneThread, limits } from '@errand/platform';
import { createHealth, whenCharged, workerDeps, workOnQueue } from '@errand/service';
import { countOpen } from './container/count-open.ts';
import { startHeartbeat } from './container/heartbeat.ts';
import { start } from './lambda/start.ts';

/** The entry point of a container that works on what worker.ts works on. SIGTERM ends it once each run is handed on. */
// Two threads may take more than its memory, and so may the images and pages of its runs.
allowOneThread();

const deps = await start({ models: true, links: true });
const { stop, inFlight } = workOnQueue(workerDeps(deps), {
  runsAtOnce: deps.config.runsAtOnce,
  graceMilliseconds: limits.containerGraceMilliseconds,
});
const stopCounting = countOpen(deps.log, 'worker', inFlight);
const stopBeating = startHeartbeat(createHealth(deps));
process.once('SIGTERM', async () => {
  stopCounting();
  await stop();
  await whenCharged(deps);
  stopBeating();
  process.exit(0);
});
