import { expect } from 'vitest';

/** For tests of what another process or connection does in its own time: passes as soon as it holds. */
export const eventually = <Value>(read: () => Value | Promise<Value>) =>
  expect.poll(read, { timeout: 60_000 });
