import { setImmediate } from 'node:timers/promises';

const turnMilliseconds = 10;

/** Makes a function that long work awaits between its steps: other work gets its turn once this has had its own. */
export function createTurns(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < turnMilliseconds) return;
    await setImmediate();
    began = performance.now();
  };
}
