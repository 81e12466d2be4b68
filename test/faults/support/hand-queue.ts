import { hash } from 'node:crypto';
import { type AwsClients, limits } from '@errand/platform';
import { queueHandler } from '@errand/runs';
import { workerDeps } from '@errand/service';
import { type Desk, openDesk } from './desk.ts';
import { closeParts, type Ground, groundParts } from './ground.ts';
import { hookCalls, type Point } from './points.ts';

/** The write after which the process of one delivery dies. */
export interface Death {
  /** Of all claims, commits and messages, counted over all deliveries. */
  write?: number;
  /** The first one of this kind. */
  kind?: string;
}

/** A queue whose messages a test delivers one by one. Leases and pauses pass between two deliveries. */
export interface HandQueue {
  desk: Desk;
  /** The bodies of the messages that wait, the oldest first. */
  messages: string[];
  /** The bodies of messages for the sender of webhooks. */
  told: string[];
  /** How many claims, commits and messages were sent so far. */
  writes(): number;
  /** Has a worker handle a message. It stays if the worker says so, or dies. */
  deliver(at?: number, death?: Death): Promise<void>;
  /** Delivers all messages until none is left, the oldest first if `next` does not choose another. */
  workOff(death?: Death, next?: (waiting: number) => number): Promise<void>;
  close(): void;
}

const counted = ['claim', 'commit', 'release', 'send message'];
const aheadMilliseconds = 60_000;

/** A window of the rate that has just begun ends at no moment that depends on when a test runs. */
const windowMilliseconds = limits.windowSeconds * 1_000;
const untilWindowBegins = () => windowMilliseconds - (Date.now() % windowMilliseconds);
const mostDeliveries = 400;

type Middleware = (
  next: (args: { input: { QueueUrl?: string; MessageBody?: string } }) => Promise<unknown>,
  context: { commandName?: string },
) => (args: { input: { QueueUrl?: string; MessageBody?: string } }) => Promise<unknown>;

interface Faults {
  /** How often each message is delivered. */
  copies?: number;
  /** Messages that tell a run of the end of a sub-run never arrive. */
  losesWakes?: true;
}

export async function openHandQueue(ground: Ground, faults: Faults = {}): Promise<HandQueue> {
  let ahead = untilWindowBegins();
  const clock = () => Date.now() + ahead;
  const desk = await openDesk(ground, clock);
  const parts = groundParts(ground.settings, desk.queues, clock);
  const messages: string[] = [];
  const told: string[] = [];
  let writes = 0;
  let isDead = false;
  let death: Death | undefined;
  const after = ({ kind }: Point) => {
    if (!counted.includes(kind)) return;
    writes++;
    if (writes !== death?.write && kind !== death?.kind) return;
    isDead = true;
    throw lost();
  };
  const gate = () => (isDead ? Promise.reject(lost()) : Promise.resolve());
  hookCalls(parts.aws, parts.files, { after, gate });
  const keep = (body: string) => {
    if (faults.losesWakes && body.includes('isWake')) return;
    for (let left = faults.copies ?? 1; left > 0; left--) messages.push(body);
  };
  for (const aws of [desk.parts.aws, parts.aws]) keepMessages(aws, desk.queues.queueUrl, { keep, told });
  const work = queueHandler(workerDeps(parts));
  const window = { stopping: () => false, abandon: new AbortController().signal };
  const deliver: HandQueue['deliver'] = async (at = 0, dying) => {
    const [body = ''] = messages.splice(at, 1);
    death = dying;
    const record = { messageId: 'by-hand', receiptHandle: 'by-hand', body, attributes: {} };
    const { batchItemFailures } = await work({ Records: [record] }, window);
    if (isDead || batchItemFailures.length > 0) messages.push(body);
    isDead = false;
    ahead += aheadMilliseconds;
  };
  return {
    desk,
    messages,
    told,
    writes: () => writes,
    deliver,
    async workOff(dying, next = () => 0) {
      for (let left = mostDeliveries; messages.length > 0; left--) {
        if (left === 0) throw new Error(`messages are left: ${messages.join()}`);
        await deliver(next(messages.length), dying);
      }
    },
    close() {
      desk.close();
      closeParts(parts);
    },
  };
}

const lost = () => Object.assign(new Error('no answer'), { name: 'TimeoutError' });

/** Nothing reaches the queue itself. */
function keepMessages(
  { sqs }: AwsClients,
  queueUrl: string,
  to: { keep(body: string): void; told: string[] },
): void {
  const keep: Middleware =
    (next, { commandName }) =>
    async (args) => {
      const { QueueUrl, MessageBody = '' } = args.input;
      if (QueueUrl !== queueUrl) {
        if (commandName === 'SendMessageCommand') to.told.push(MessageBody);
        return next(args);
      }
      if (commandName === 'SendMessageCommand') to.keep(MessageBody);
      return { output: { $metadata: {}, MD5OfMessageBody: hash('md5', MessageBody) }, response: {} };
    };
  (sqs.middlewareStack as { add(middleware: unknown, options: object): void }).add(keep, {
    step: 'build',
    name: 'by-hand',
  });
}
