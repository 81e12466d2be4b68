import { performance } from 'node:perf_hooks';

const windowMilliseconds = 50;
/** Of its time. One stream takes a tenth of it, and sixteen about a half. */
const busyShare = 0.25;

let measuredAt = 0;
let before = performance.eventLoopUtilization();
let busy = false;

/** Whether the process has lately been at work for a good part of its time. */
export function isBusy(now: number): boolean {
  if (now - measuredAt < windowMilliseconds) return busy;
  const current = performance.eventLoopUtilization();
  busy = performance.eventLoopUtilization(current, before).utilization > busyShare;
  before = current;
  measuredAt = now;
  return busy;
}
