import { setTimeout as sleep } from 'node:timers/promises';

/** Asks `/livez` ten times a second, in a process of its own, and tells how long each answer took and how late this process was. */
const baseUrl = process.argv[2] ?? '';
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
  process.send?.({ milliseconds: performance.now() - asked, late: asked - planned, isWell });
}
