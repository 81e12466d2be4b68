import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { type SqsRecord, toSqsRecord } from '@errand/platform/testing';
import { invocationHandler } from '@errand/runs';
import { workerDeps } from '@errand/service';
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
