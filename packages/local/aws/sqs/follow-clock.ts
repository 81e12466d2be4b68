import type { Queue } from './take-turns.ts';

const lookMilliseconds = 1_000;
/** A busy process looks late, and clocks are corrected by a little all the time. */
const smallestStepMilliseconds = 2_000;

/**
 * fauxqs 1.9 hides a received or delayed message until a time of the machine's clock. When that clock is set back, the
 * message would stay hidden longer by as much, and its run would wait. So those times are set back, too. Returns the
 * function that ends the watching.
 */
export function followClock(queues: readonly Queue[]): () => void {
  let [wall, steady] = [Date.now(), performance.now()];
  const timer = setInterval(() => {
    const before = wall - steady;
    [wall, steady] = [Date.now(), performance.now()];
    const stepMilliseconds = wall - steady - before;
    if (stepMilliseconds <= -smallestStepMilliseconds) moveTimes(queues, stepMilliseconds);
  }, lookMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

function moveTimes(queues: readonly Queue[], stepMilliseconds: number): void {
  for (const { inflightMessages, delayedMessages } of queues) {
    for (const entry of inflightMessages.values()) entry.visibilityDeadline += stepMilliseconds;
    for (const message of delayedMessages) if (message.delayUntil) message.delayUntil += stepMilliseconds;
  }
}
