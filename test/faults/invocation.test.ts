import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { showCredits } from '@errand/money';
import { type SqsRecord, toSqsRecord } from '@errand/platform/testing';
import { invocationHandler } from '@errand/runs';
import { accountsDeps, workerDeps } from '@errand/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Desk, openDesk } from './support/desk.ts';
import { type Ground, startGround } from './support/ground.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.close());

async function receive({ parts, queues }: Desk): Promise<SqsRecord> {
  const command = new ReceiveMessageCommand({
    QueueUrl: queues.queueUrl,
    WaitTimeSeconds: 20,
    MessageSystemAttributeNames: ['All'],
  });
  const { Messages } = await parts.aws.sqs.send(command);
  return Messages?.[0] ? toSqsRecord(Messages[0], queues.arns.queue) : receive({ parts, queues } as Desk);
}

test('an invocation whose time is up in the middle of a step hands on all its runs, and no death is counted', async () => {
  const desk = await openDesk(ground);
  const labels = ['a', 'b', 'c', 'd'].map((name) => `abandoned-${name}`);
  const open = ground.outside.hold(({ label }) => labels.includes(label));
  const ids = await Promise.all(labels.map((label) => desk.start({ question: `Work [${label} run]` })));
  const handle = invocationHandler(workerDeps(desk.parts), 8);
  const end = new AbortController();
  const window = {
    stopping: () => end.signal.aborted,
    takes: () => !end.signal.aborted,
    abandon: end.signal,
  };
  const first = handle({ Records: [await receive(desk)] }, window);
  const asked = (label: string) => ground.outside.asked.some((each) => each.label === label);
  await eventually(() => labels.filter((label) => !asked(label))).toEqual([]);
  end.abort();
  expect(await first).toEqual({ batchItemFailures: [] });
  open();
  const anew = { stopping: () => false, takes: () => true, abandon: new AbortController().signal };
  const second = handle({ Records: [await receive(desk)] }, anew);
  for (const id of ids) expect((await desk.follow(id)).at(-1)).toMatchObject({ type: 'done' });
  expect(await second).toEqual({ batchItemFailures: [] });
  for (const id of ids) expect(await desk.record(id)).toMatchObject({ deaths: 0, status: 'succeeded' });
  desk.close();
});

/** A charge that was deferred to the queue, as a completion's. */
async function defer({ parts, queues, accountId }: Desk, id: string): Promise<void> {
  const payer = { accountId };
  const charge = { id, kind: 'completion', amountNanoEuro: 1_000, payer, at: new Date().toISOString() };
  const message = {
    QueueUrl: queues.queueUrl,
    MessageGroupId: accountId,
    MessageBody: JSON.stringify({ kind: 'charge', charge }),
  };
  await parts.aws.sqs.send(new SendMessageCommand(message));
}

/** The messages that are in the queue, those that are hidden included. */
async function messagesLeft({ parts, queues }: Desk): Promise<number> {
  const command = new GetQueueAttributesCommand({ QueueUrl: queues.queueUrl, AttributeNames: ['All'] });
  const { Attributes = {} } = await parts.aws.sqs.send(command);
  return (
    Number(Attributes.ApproximateNumberOfMessages) + Number(Attributes.ApproximateNumberOfMessagesNotVisible)
  );
}

test('deferred charges in the batch of a run are made once each; one that could not be written comes back, and the invocation makes it while its run goes on', async () => {
  const desk = await openDesk(ground);
  const open = ground.outside.hold(({ label }) => label === 'beside-charges');
  const agentId = await desk.start({ question: 'Work [beside-charges run]' });
  for (const id of ['charge-once', 'charge-once', 'charge-late']) await defer(desk, id);
  const Records: SqsRecord[] = [];
  while (Records.length < 4) Records.push(await receive(desk));
  let failures = 0;
  desk.parts.aws.dynamodb.middlewareStack.add(
    (next) => (args) => {
      if (failures > 0 || !JSON.stringify(args.input).includes('charge-late')) return next(args);
      failures++;
      throw new Error('no store');
    },
    { step: 'initialize' },
  );
  const window = { stopping: () => false, takes: () => true, abandon: new AbortController().signal };
  const invocation = invocationHandler(workerDeps(desk.parts), 8)({ Records }, window);
  await eventually(() => messagesLeft(desk)).toBe(1);
  open();
  expect((await desk.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
  const late = Records.find(({ body }) => body.includes('charge-late'))?.messageId;
  // AWS leaves it as it is, and it is gone.
  expect(await invocation).toEqual({ batchItemFailures: [{ itemIdentifier: late }] });
  expect(await messagesLeft(desk)).toBe(0);
  const { entries } = await showCredits(accountsDeps(desk.parts), desk);
  const deferred = entries.filter(({ runId, kind }) => runId === undefined && kind === 'completion');
  expect(deferred.map(({ id }) => id).toSorted()).toEqual(['charge-late', 'charge-once']);
  desk.close();
});
