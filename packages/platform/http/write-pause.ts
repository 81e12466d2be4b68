import { performance } from 'node:perf_hooks';
import { limits } from '../limits.ts';

const windowMilliseconds = 50;
/** Share of its time that the event loop works: one stream of 1,000 chunks a second takes a tenth, sixteen about a half. */
const busyShare = 0.25;
const fullShare = 0.9;

let measuredAt = 0;
let before = performance.eventLoopUtilization();
let pauseMilliseconds = 0;

/**
 * How long a stream should wait between two writes, in milliseconds, by how busy the process was lately: 0 while it mostly
 * idles. `now` is by `performance.now()`.
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
