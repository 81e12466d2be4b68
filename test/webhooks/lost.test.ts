import { getItem, newUuid, transact, updateItem } from '@errand/platform';
import { checkWebhooks, resendEarlierWebhooks, resendWebhooks, tellRunEnd } from '@errand/webhooks';
import { handleQueued } from '@errand/webhooks/testing';
import type { Pluggable } from '@smithy/types';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';
import { openPostOffice, type PostOffice } from './support/post-office.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

let dynamo: TestDynamo;
let receiver: Receiver;
let office: PostOffice;
let dying: { before: number } | undefined;
let asked = 0;

beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());
beforeEach(async () => {
  receiver = await startReceiver();
  office = await openPostOffice(dynamo, { allowedHosts: [receiver.host] });
  dying = undefined;
  const dieInTime: Pluggable<object, object> = {
    applyToStack: (stack) =>
      stack.add(
        (next) => (args) => {
          if (dying && asked++ >= dying.before) throw new Error('the process is dead');
          return next(args);
        },
        { step: 'initialize', priority: 'high', name: 'dieInTime', override: true },
      ),
  };
  office.deps.dynamodb.middlewareStack.use(dieInTime as never);
  office.deps.sqs.middlewareStack.use(dieInTime as never);
});
afterEach(() => receiver.close());

/** Does work in a process that dies before its request of this number. True if it died. */
async function dyingBefore(before: number, work: () => Promise<unknown>): Promise<boolean> {
  dying = { before };
  asked = 0;
  await work().catch(() => undefined);
  const died = asked > before;
  dying = undefined;
  return died;
}

const make = async () => {
  const response = await office.request('', 'POST', { url: receiver.url, events: ['run.failed'] });
  expect(response.status).toBe(201);
};

/** Ends a run as the worker does. True if the end was written, which the caller of a dead process does not know. */
async function endRun(agentId: string): Promise<void> {
  const { accountId, keyId, deps } = office;
  const told = await tellRunEnd(deps, { agentId, accountId, keyId, event: 'run.failed', status: 'failed' });
  const { tables } = dynamo;
  const end = {
    Put: { TableName: tables.runs, Item: { pk: `RUN#${agentId}`, sk: 'RUN', status: 'failed' } },
  };
  await transact(deps, [...told, end]);
}

/** Ends the run, unless it has ended: what a worker does that finds it unfinished. */
async function takeOver(agentId: string): Promise<void> {
  const { dynamodb, tables } = dynamo;
  const run = await getItem({ dynamodb }, tables.runs, { pk: `RUN#${agentId}`, sk: 'RUN' });
  if (!run) await endRun(agentId);
}

/** The requests that each wait for the death of their process. More than any of the works sends. */
const points = Array.from({ length: 14 }, (_, point) => point);

test('the end of a run is told whenever the process that ends it dies, and only once if it was not told before', async () => {
  await make();
  const deaths: boolean[] = [];
  for (const point of points) {
    const agentId = newUuid();
    receiver.received.length = 0;
    deaths.push(await dyingBefore(point, () => endRun(agentId)));
    await takeOver(agentId);
    await office.sendAll();
    expect(receiver.received.map(({ body }) => JSON.parse(body).data.agentId)).toEqual([agentId]);
  }
  expect(deaths).toContain(true);
  expect(deaths).toContain(false);
});

test('a delivery whose sender dies arrives with the same id, and twice at most', async () => {
  await make();
  receiver.answer((response) => response.writeHead(receiver.received.length % 2 === 0 ? 200 : 503).end());
  let deaths = 0;
  for (const turn of [0, 1, 2, 3]) {
    for (const point of points) {
      receiver.received.length = 0;
      await endRun(newUuid());
      let handled = 0;
      while (office.queue.length > 0) {
        const next = Math.min(...office.queue.map(({ at }) => at));
        office.deps.clock.advance(Math.max(0, next - office.deps.clock()));
        const [message] = office.queue.splice(
          office.queue.findIndex(({ at }) => at === next),
          1,
        );
        const handle = () => handleQueued(office.deps, message!.body);
        if (handled++ === turn && (await dyingBefore(point, handle))) {
          deaths++;
          // As SQS does with a message that nobody has deleted.
          office.queue.push({ ...message!, at: office.deps.clock() + 90_000 });
        } else if (handled - 1 !== turn) await handle();
      }
      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids).size).toBe(1);
      expect(ids.length).toBeGreaterThanOrEqual(2);
      expect(ids.length).toBeLessThanOrEqual(4);
    }
  }
  expect(deaths).toBeGreaterThan(10);
});

test('a message that the queue has lost is found by the check of the books, and sent when a process starts', async () => {
  await make();
  receiver.answer(503);
  await endRun(newUuid());
  await office.sendAll(10_000);
  await endRun(newUuid());
  office.queue.length = 0;
  const found = async () => {
    const problems: string[] = [];
    for await (const { problem } of checkWebhooks(office.deps)) problems.push(problem);
    return problems;
  };
  expect(await found()).toEqual([]);
  office.deps.clock.advance(2 * 3_600_000);
  expect((await found()).toSorted()).toMatchObject([
    expect.stringMatching(/^Its end is not told/),
    expect.stringMatching(/^The delivery msg_\w+ is late by 1 h/),
  ]);
  receiver.received.length = 0;
  receiver.answer(200);
  await resendWebhooks(office.deps);
  await office.sendAll();
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  expect(await found()).toEqual([]);
});

test('a message that an earlier release has left in the outbox, without a status, is sent after a start', async () => {
  await make();
  const agentId = newUuid();
  await endRun(agentId);
  const Key = { pk: `MESSAGE#${agentId}`, sk: 'MESSAGE' };
  await updateItem(dynamo, {
    TableName: dynamo.tables.runs,
    Key,
    UpdateExpression: 'REMOVE #status',
    ExpressionAttributeNames: { '#status': 'status' },
  });
  office.queue.length = 0;
  await resendWebhooks(office.deps);
  expect(office.queue).toEqual([]);
  const signal = new AbortController().signal;
  await resendEarlierWebhooks(office.deps, { signal, onError: () => expect.unreachable() });
  await office.sendAll();
  expect(receiver.received).toHaveLength(1);
});
