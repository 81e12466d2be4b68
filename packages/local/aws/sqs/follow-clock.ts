import { changeVisibility, type QueueApp } from './change-visibility.ts';

const lookMilliseconds = 1_000;
/** A busy process looks late, and clocks are corrected by a little all the time. */
const smallestStepMilliseconds = 2_000;

interface InspectedQueue {
  messages: { inflight: { receiptHandle: string; visibilityDeadline: number }[] };
}

/**
 * fauxqs 1.9 hides a received message until a time of the machine's clock. When that clock is set back, a message would
 * stay hidden longer by as much, and its run would wait. So the message gets what was left of its own time. Returns the
 * function that ends the watching.
 */
export function followClock(app: QueueApp): () => void {
  let [wall, steady] = [Date.now(), performance.now()];
  const timer = setInterval(() => {
    const before = wall - steady;
    [wall, steady] = [Date.now(), performance.now()];
    const stepMilliseconds = wall - steady - before;
    if (stepMilliseconds <= -smallestStepMilliseconds) void moveDeadlines(app, stepMilliseconds);
  }, lookMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

async function moveDeadlines(app: QueueApp, stepMilliseconds: number): Promise<void> {
  const queues = (await app.inject({ url: '/_fauxqs/queues' })).json<{ name: string; url: string }[]>();
  for (const { name, url } of queues) {
    const { messages } = (await app.inject({ url: `/_fauxqs/queues/${name}` })).json<InspectedQueue>();
    for (const { receiptHandle, visibilityDeadline } of messages.inflight) {
      const leftSeconds = Math.ceil((visibilityDeadline + stepMilliseconds - Date.now()) / 1_000);
      await changeVisibility(app, {
        QueueUrl: url,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: Math.max(0, leftSeconds),
      });
    }
  }
}
