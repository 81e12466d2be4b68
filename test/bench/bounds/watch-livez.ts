import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** Asks `/livez` ten times a second, in a thread of its own, and tells how long each answer took and how late this thread was. */
const { baseUrl } = workerData as { baseUrl: string };
for (;;) {
  const planned = performance.now() + 100;
  await sleep(100);
  const asked = performance.now();
  const isWell = await fetch(`${baseUrl}/livez`).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
  parentPort?.postMessage({ milliseconds: performance.now() - asked, late: asked - planned, isWell });
}
