import { performance } from 'node:perf_hooks';
import { limits } from '../limits.ts';

const windowMilliseconds = 50;
/**
 * The share of time in which the event loop works. One stream of 1,000 chunks a second takes about 0.1, sixteen about
 * 0.5.
 */
const busyShare = 0.25;
const fullShare = 0.9;

let measuredAt = 0;
let before = performance.eventLoopUtilization();
let pauseMilliseconds = 0;

/**
 * The milliseconds that a stream should wait between two writes, by how busy the process was lately. 0 while the
 * process mostly idles. `now` is by `performance.now()`.
 */
export function writePause(now: number): number {
  if (now - measuredAt < windowMilliseconds) return pauseMilliseconds;
  const current = performance.eventLoopUtilization();
  const { utilization } = performance.eventLoopUtilization(current, before);
  before = current;
  measuredAt = now;
  if (utilization > fullShare) pauseMilliseconds = limits.fullWriteMilliseconds;
  else pauseMilliseconds = utilization > busyShare ? limits.busyWriteMilliseconds : 0;
  return pauseMilliseconds;
}
