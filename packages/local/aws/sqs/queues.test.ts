import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { pollQueue } from '@errand/platform';
import { type SqsHandler, type SqsRecord, toSqsRecord } from '@errand/platform/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { type EnsuredQueues, ensureQueues } from './ensure-queues.ts';
import { type Queues, startQueues } from './start-queues.ts';

let queues: Queues;
let sqs: SQSClient;
beforeAll(async () => {
  queues = await startQueues({ host: '127.0.0.1' });
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  sqs = new SQSClient({ endpoint: queues.endpoint, region: 'eu-west-1', credentials, maxAttempts: 1 });
});
afterAll(async () => {
  sqs.destroy();
  await queues.close();
  vi.restoreAllMocks();
});

let made = 0;
const makeQueues = (more: { visibilityTimeoutSeconds?: number; maxReceiveCount?: number } = {}) => {
  made++;
  return ensureQueues(sqs, {
    queue: `work-${made}`,
    deadLetterQueue: `dead-${made}`,
    maxReceiveCount: 3,
    visibilityTimeoutSeconds: 30,
    ...more,
  });
};
const send = (to: EnsuredQueues, MessageBody: string) =>
  sqs.send(
    new SendMessageCommand({
      QueueUrl: to.queueUrl,
      MessageBody,
      MessageAttributes: { kind: { DataType: 'String', StringValue: 'test' } },
    }),
  );
const sendOf = (group: string, to: EnsuredQueues, MessageBody: string, DelaySeconds?: number) =>
  sqs.send(
    new SendMessageCommand({ QueueUrl: to.queueUrl, MessageBody, MessageGroupId: group, DelaySeconds }),
  );
const receive = async (from: EnsuredQueues, VisibilityTimeout = 30, MaxNumberOfMessages = 10) => {
  const command = new ReceiveMessageCommand({
    QueueUrl: from.queueUrl,
    MaxNumberOfMessages,
    VisibilityTimeout,
    WaitTimeSeconds: 5,
    MessageSystemAttributeNames: ['All'],
  });
  return (await sqs.send(command)).Messages ?? [];
};
/** The server's side of the connection on which the next request for this action comes. The server is in this process. */
const nextConnection = (target: string) =>
  new Promise<Socket>((resolve) => {
    const onRequest = (started: unknown) => {
      const { request, socket } = started as { request: IncomingMessage; socket: Socket };
      if (request.headers['x-amz-target'] !== target) return;
      unsubscribe('http.server.request.start', onRequest);
      resolve(socket);
    };
    subscribe('http.server.request.start', onRequest);
  });
const systemNow = Date.now;
let advanced = 0;
/** Sets the clock of the queues forward. It stays so: the queues would follow a clock that goes back, a second later. */
function advanceClock(milliseconds: number): void {
  advanced += milliseconds;
  vi.spyOn(Date, 'now').mockImplementation(() => systemNow() + advanced);
}
const bodiesOf = (messages: Message[]) => messages.map(({ Body }) => Body);
const attributes = async (QueueUrl: string) =>
  (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes!;
const hiddenCount = async (of: EnsuredQueues) =>
  (await attributes(of.queueUrl)).ApproximateNumberOfMessagesNotVisible;
const isEmpty = async (of: EnsuredQueues) => {
  const found = await attributes(of.queueUrl);
  return found.ApproximateNumberOfMessages === '0' && found.ApproximateNumberOfMessagesNotVisible === '0';
};

interface Poller {
  stop(): Promise<void>;
  done: Promise<void>;
  errors: unknown[];
}

function poll(
  from: EnsuredQueues,
  handler: SqsHandler,
  more: Partial<Parameters<typeof pollQueue>[0]> = {},
): Poller {
  const ending = new AbortController();
  const errors: unknown[] = [];
  const done = pollQueue({
    sqs,
    queueUrl: from.queueUrl,
    handler,
    concurrency: 4,
    signal: ending.signal,
    onError: (error) => errors.push(error),
    ...more,
  });
  const stop = () => {
    ending.abort();
    return done;
  };
  onTestFinished(stop);
  return { stop, done, errors };
}

const success = { batchItemFailures: [] };
const failed = (record: SqsRecord) => ({ batchItemFailures: [{ itemIdentifier: record.messageId }] });

describe('the queues', () => {
  test('are made once, however many processes ask, and take changed attributes', async () => {
    const definition = { queue: 'q', deadLetterQueue: 'd', maxReceiveCount: 3, visibilityTimeoutSeconds: 30 };
    const all = await Promise.all([1, 2, 3].map(() => ensureQueues(sqs, definition)));
    expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(1);
    await ensureQueues(sqs, { ...definition, maxReceiveCount: 5, visibilityTimeoutSeconds: 60 });
    const found = await attributes(all[0]!.queueUrl);
    expect(found.VisibilityTimeout).toBe('60');
    expect(JSON.parse(found.RedrivePolicy!)).toMatchObject({
      maxReceiveCount: 5,
      deadLetterTargetArn: all[0]!.arns.deadLetterQueue,
    });
  });

  test('give the messages of groups by turns, and tell their group', async () => {
    const work = await makeQueues();
    for (let i = 0; i < 20; i++) await sendOf('noisy', work, `noisy ${i}`);
    for (const body of ['small 0', 'small 1']) await sendOf('small', work, body);
    await send(work, 'of none');
    const messages = await receive(work);
    expect(bodiesOf(messages).slice(0, 5)).toEqual(['noisy 0', 'small 0', 'of none', 'noisy 1', 'small 1']);
    expect(messages.slice(0, 3).map(({ Attributes }) => Attributes?.MessageGroupId)).toEqual([
      'noisy',
      'small',
      undefined,
    ]);
    expect((await attributes(work.queueUrl)).ApproximateNumberOfMessages).toBe('13');
  });

  test('give a message that was put back in the turn of its group, and a delayed one once it is due', async () => {
    const work = await makeQueues();
    await sendOf('late', work, 'delayed', 60);
    for (const body of ['noisy 0', 'noisy 1', 'noisy 2']) await sendOf('noisy', work, body);
    await sendOf('small', work, 'back');
    expect(bodiesOf(await receive(work, 600, 1))).toEqual(['noisy 0']);
    const [back] = await receive(work, 600, 1);
    expect(back?.Body).toBe('back');
    const { ReceiptHandle } = back!;
    await sqs.send(
      new ChangeMessageVisibilityCommand({ QueueUrl: work.queueUrl, ReceiptHandle, VisibilityTimeout: 0 }),
    );
    expect(bodiesOf(await receive(work, 600))).toEqual(['noisy 1', 'back', 'noisy 2']);
    advanceClock(60_000);
    expect(bodiesOf(await receive(work, 600))).toEqual(['delayed']);
  });

  test('listen only on the requested host', () => {
    expect(queues.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
});

describe('the poller', () => {
  test('gives each message to the handler once, in Lambda’s shape, and deletes it', async () => {
    const work = await makeQueues();
    const events: { Records: SqsRecord[] }[] = [];
    const { errors } = poll(work, async (event) => {
      events.push(event);
      return success;
    });
    await Promise.all(Array.from({ length: 15 }, (_, i) => send(work, `message ${i}`)));
    await eventually(() => isEmpty(work)).toBe(true);
    const bodies = events.map(({ Records }) => Records[0]!.body).sort();
    expect(bodies).toEqual(Array.from({ length: 15 }, (_, i) => `message ${i}`).sort());
    expect(events.every(({ Records }) => Records.length === 1)).toBe(true);
    expect(events[0]!.Records[0]).toMatchObject({
      messageId: expect.any(String),
      receiptHandle: expect.any(String),
      md5OfBody: expect.stringMatching(/^[0-9a-f]{32}$/),
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.any(String) },
      messageAttributes: { kind: { stringValue: 'test', dataType: 'String' } },
      eventSource: 'aws:sqs',
    });
    expect(errors).toEqual([]);
  });

  test('leaves a failed message to its visibility timeout and, in the end, to the dead letters', async () => {
    const work = await makeQueues({ visibilityTimeoutSeconds: 60, maxReceiveCount: 2 });
    const seen: Record<string, string[]> = {};
    const { errors } = poll(work, async ({ Records: [record] }) => {
      seen[record!.body] = [...(seen[record!.body] ?? []), record!.attributes.ApproximateReceiveCount!];
      if (record!.body === 'thrown') throw new Error('broken');
      return record!.body === 'refused' ? failed(record!) : success;
    });
    for (const body of ['fine', 'refused', 'thrown']) await send(work, body);
    for (const receives of [['1'], ['1', '2']]) {
      await eventually(() => [seen, errors.length]).toEqual([
        { fine: ['1'], refused: receives, thrown: receives },
        receives.length,
      ]);
      await eventually(async () => hiddenCount(work)).toBe('2');
      advanceClock(60_000);
    }
    const dead: string[] = [];
    await eventually(async () => {
      const command = new ReceiveMessageCommand({
        QueueUrl: work.deadLetterQueueUrl,
        MaxNumberOfMessages: 10,
      });
      dead.push(...((await sqs.send(command)).Messages ?? []).map(({ Body }) => Body!));
      return [...dead].sort();
    }).toEqual(['refused', 'thrown']);
    expect([seen.fine, seen.refused, errors.length]).toEqual([['1'], ['1', '2'], 2]);
  });

  test('has no more handlers in flight than allowed, and uses all of them', async () => {
    const work = await makeQueues();
    const waiting: (() => void)[] = [];
    let most = 0;
    let running = 0;
    poll(
      work,
      async () => {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => waiting.push(resolve));
        running--;
        return success;
      },
      { concurrency: 3 },
    );
    await Promise.all(Array.from({ length: 9 }, (_, i) => send(work, `${i}`)));
    for (let released = 0; released < 9; released++) {
      await eventually(() => waiting.length).toBeGreaterThan(0);
      if (released === 0) await eventually(() => running).toBe(3);
      waiting.shift()!();
    }
    await eventually(() => isEmpty(work)).toBe(true);
    expect(most).toBe(3);
  });

  test('keeps slots free for other groups, whatever one group has sent', async () => {
    const work = await makeQueues();
    const running: string[] = [];
    const release = Promise.withResolvers<void>();
    const handler: SqsHandler = async ({ Records: [record] }) => {
      running.push(record!.body);
      await release.promise;
      return success;
    };
    for (let i = 0; i < 20; i++) await sendOf('noisy', work, 'noisy');
    const { errors } = poll(work, handler, { concurrency: 9 });
    await eventually(() => running.length).toBe(6);
    for (let i = 0; i < 2; i++) await sendOf('small', work, 'small');
    await eventually(() => running.length).toBe(8);
    expect(running.slice(6)).toEqual(['small', 'small']);
    release.resolve();
    await eventually(() => isEmpty(work)).toBe(true);
    expect(running).toHaveLength(22);
    expect(errors).toEqual([]);
  });

  test('when stopped, waits for the handlers in flight and takes nothing more', async () => {
    const work = await makeQueues();
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const bodies: string[] = [];
    const poller = poll(work, async ({ Records: [record] }) => {
      bodies.push(record!.body);
      started.resolve();
      await release.promise;
      return success;
    });
    await send(work, 'first');
    await started.promise;
    const stopped = poller.stop();
    await send(work, 'second');
    release.resolve();
    await stopped;
    expect(bodies).toEqual(['first']);
    const rest: string[] = [];
    poll(work, async ({ Records: [record] }) => {
      rest.push(record!.body);
      return success;
    });
    await eventually(() => rest).toEqual(['second']);
    await eventually(() => isEmpty(work)).toBe(true);
  });

  test('begins with messages that were received already, whatever the share of their group, and ends when it takes no more', async () => {
    const work = await makeQueues();
    for (const body of ['a', 'b', 'c']) await sendOf('one', work, body);
    const first = (await receive(work, 30, 3)).map((message) => toSqsRecord(message, work.arns.queue));
    expect(first[0]).toMatchObject({ eventSourceARN: work.arns.queue, awsRegion: 'eu-west-1' });
    const running = new Map<string, () => void>();
    let takes = true;
    const poller = poll(
      work,
      async ({ Records: [record] }) => {
        await new Promise<void>((resolve) => running.set(record!.body, resolve));
        running.delete(record!.body);
        return record!.body === 'b' ? failed(record!) : success;
      },
      { first, takes: () => takes, concurrency: 3 },
    );
    await eventually(() => [...running.keys()]).toEqual(['a', 'b', 'c']);
    await sendOf('two', work, 'd');
    running.get('a')!();
    await eventually(() => [...running.keys()]).toEqual(['b', 'c', 'd']);
    await eventually(() => hiddenCount(work)).toBe('3');
    takes = false;
    await sendOf('two', work, 'late');
    for (const body of ['b', 'c', 'd']) running.get(body)!();
    await poller.done;
    const left = await attributes(work.queueUrl);
    // The failed one stays hidden for its time.
    expect([left.ApproximateNumberOfMessagesNotVisible, left.ApproximateNumberOfMessages]).toEqual([
      '1',
      '1',
    ]);
    expect(poller.errors).toEqual([]);
  });

  test('that dies in its long poll takes no message along', async () => {
    const work = await makeQueues();
    const seen = nextConnection('AmazonSQS.ReceiveMessage');
    const longPoll = request(queues.endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.ReceiveMessage' },
    });
    longPoll.on('error', () => undefined);
    longPoll.end(JSON.stringify({ QueueUrl: work.queueUrl, WaitTimeSeconds: 20 }));
    const connection = await seen;
    // The server answers this after it has read the whole request for messages, and waits for them.
    await attributes(work.queueUrl);
    const closed = once(connection, 'close');
    longPoll.destroy();
    await closed;
    await send(work, 'not lost');
    const bodies: string[] = [];
    poll(work, async ({ Records: [record] }) => {
      bodies.push(record!.body);
      return success;
    });
    await eventually(() => bodies).toEqual(['not lost']);
  });

  test('outlives a queue service that is away, waiting longer each time', async () => {
    const before = await startQueues({ host: '127.0.0.1' });
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
    const client = new SQSClient({
      endpoint: before.endpoint,
      region: 'eu-west-1',
      credentials,
      maxAttempts: 1,
    });
    onTestFinished(() => client.destroy());
    const definition = {
      queue: 'back',
      deadLetterQueue: 'dead',
      maxReceiveCount: 3,
      visibilityTimeoutSeconds: 30,
    };
    const work = await ensureQueues(client, definition);
    await before.close();
    const waits: number[] = [];
    const bodies: string[] = [];
    let back: Queues | undefined;
    onTestFinished(() => back?.close());
    const handler: SqsHandler = async ({ Records: [record] }) => {
      bodies.push(record!.body);
      return success;
    };
    const poller = poll(work, handler, {
      sqs: client,
      wait: async (milliseconds) => {
        waits.push(milliseconds);
        if (waits.length < 8 || back) return;
        back = await startQueues({ host: '127.0.0.1', port: Number(new URL(before.endpoint).port) });
        const { queueUrl } = await ensureQueues(client, definition);
        await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'hello again' }));
      },
    });
    await eventually(() => bodies).toEqual(['hello again']);
    expect(waits.slice(0, 8)).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
    expect(poller.errors.length).toBeGreaterThanOrEqual(8);
  });
});

test('messages that nobody deleted, or that are delayed, come after their time, though the clock has gone back since', async () => {
  const work = await makeQueues({ visibilityTimeoutSeconds: 60 });
  await send(work, 'comes back');
  const late = { QueueUrl: work.queueUrl, MessageBody: 'comes late', DelaySeconds: 60 };
  await sqs.send(new SendMessageCommand(late));
  const receive = async () => {
    const command = new ReceiveMessageCommand({ QueueUrl: work.queueUrl });
    return (await sqs.send(command)).Messages?.map(({ Body }) => String(Body)) ?? [];
  };
  expect(await receive()).toEqual(['comes back']);
  vi.spyOn(Date, 'now').mockImplementation(() => systemNow() - 2 * 3_600_000);
  expect(await receive()).toEqual([]);
  // The server notices within a second. The hour in which it may is shorter than the two for which nothing would come.
  const startedAt = systemNow();
  vi.spyOn(Date, 'now').mockImplementation(
    () => systemNow() - 2 * 3_600_000 + Math.min(60 * (systemNow() - startedAt), 3_600_000),
  );
  const received: string[] = [];
  await eventually(async () => {
    received.push(...(await receive()));
    return [...new Set(received)].toSorted();
  }).toEqual(['comes back', 'comes late']);
});
