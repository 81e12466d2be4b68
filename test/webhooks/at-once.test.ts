import type { ServerResponse } from 'node:http';
import { callerLimits, putItem, transact } from '@errand/platform';
import { checkWebhooks, queueNotice, resendWebhooks, tellRunEnd, webhookHandler } from '@errand/webhooks';
import { handleQueued } from '@errand/webhooks/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';
import { eventually } from '../support/eventually.ts';
import { openPostOffice, type PostOffice } from './support/post-office.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

const most = callerLimits.webhooksPerKey;
const { webhookAttemptsPerAccount: mostOfAccount, webhookAttemptsPerHost: mostOfHost } = callerLimits;

let dynamo: TestDynamo;
let receiver: Receiver;
let office: PostOffice;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());
beforeEach(async () => {
  receiver = await startReceiver();
  office = await openOffice();
});
afterEach(() => receiver.close());

const hostsCount = 8;
const hosts = () =>
  Array.from({ length: hostsCount }, (_, host) => `h${host}.test:${new URL(receiver.url).port}`);
const lookup = ((_host: string, _options: unknown, done: (error: null, found: object[]) => void) =>
  done(null, [{ address: '127.0.0.1', family: 4 }])) as never;

async function openOffice(): Promise<PostOffice> {
  const opened = await openPostOffice(dynamo, { allowedHosts: [receiver.host, ...hosts()] });
  opened.deps.web.lookup = lookup;
  return opened;
}

const make = (url = receiver.url, key = office.key) =>
  office.request('', 'POST', { url, events: ['run.succeeded'] }, key);
const idOf = async (response: Response) => ((await response.json()) as { id: string }).id;
const ids = async (key = office.key) => {
  const { webhooks } = (await (await office.request('', 'GET', undefined, key)).json()) as {
    webhooks: { id: string }[];
  };
  return webhooks.map(({ id }) => id);
};
const remove = (id: string) => office.request(`/${id}`, 'DELETE');

/** How many of so many creations at once were answered 201; the others are refused. */
async function makeAtOnce(count: number, key?: string): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, () => make(receiver.url, key)));
  const refusals = answers.filter(({ status }) => status !== 201);
  for (const refusal of refusals)
    expect([refusal.status, await refusal.text()]).toEqual([
      400,
      `url: is one too many: a key may have ${most} webhooks`,
    ]);
  return count - refusals.length;
}

describe('the webhooks of a key', () => {
  test('are never more than a key may have, however many are made at once', async () => {
    expect(await makeAtOnce(100)).toBe(most);
    expect(await ids()).toHaveLength(most);
    expect(await makeAtOnce(3)).toBe(0);
    expect(await makeAtOnce(12, await office.newKey())).toBe(most);
  });

  test('that were deleted leave their places to others, each to one', async () => {
    await makeAtOnce(most);
    for (const count of [1, 3, most]) {
      await Promise.all((await ids()).slice(0, count).map(remove));
      expect(await makeAtOnce(count + 5)).toBe(count);
      expect(await ids()).toHaveLength(most);
    }
  });

  test('stay as many as they may be while some are made and others deleted', async () => {
    for (let round = 0; round < 5; round++) {
      const doomed = (await ids()).filter(() => Math.random() < 0.5);
      await Promise.all([...doomed.map(remove), ...Array.from({ length: 8 }, () => make())]);
      expect((await ids()).length).toBeLessThanOrEqual(most);
    }
    await Promise.all((await ids()).map(remove));
    expect(await makeAtOnce(most + 5)).toBe(most);
  });

  test('count those that an earlier release made, which have no place', async () => {
    const { accountId, keyId, deps } = office;
    const earlier = Array.from({ length: 7 }, (_, i) => `webhook_${String(i).padStart(20, '0')}`);
    for (const id of earlier)
      await putItem(deps, {
        TableName: dynamo.tables.accounts,
        Item: {
          ...{ pk: `WEBHOOKS#${accountId}`, sk: `${keyId}#${id}`, id, accountId, keyId, url: receiver.url },
          ...{ events: ['run.succeeded'], description: '', secret: 'whsec_AAAA' },
          ...{ createdAt: '2026-11-22T00:00:00.000Z', updatedAt: '2026-11-22T00:00:00.000Z' },
        },
      });
    expect(await makeAtOnce(20)).toBe(most - 7);
    expect((await remove(earlier[0]!)).status).toBe(204);
    expect((await remove(earlier[1]!)).status).toBe(204);
    expect(await makeAtOnce(20)).toBe(2);
  });

  test('lose no place to a process that deleted one and died before it gave the place back', async () => {
    const { accountId, keyId, deps } = office;
    for (let slot = 0; slot < most; slot++)
      await putItem(deps, {
        TableName: dynamo.tables.accounts,
        Item: {
          pk: `WEBHOOKSLOTS#${accountId}`,
          sk: `${keyId}#${slot}`,
          endpointId: `webhook_${'0'.repeat(20)}`,
        },
      });
    expect(await makeAtOnce(20)).toBe(most);
  });
});

/** Has everything that is queued handled at once, by two processes in turn. Resolves when so many of it are over. */
async function handleAtOnce(done: number, from = office): Promise<Promise<unknown>[]> {
  const queued = from.queue.splice(0);
  let over = 0;
  const handling = queued.map(({ body }, index) =>
    handleQueued(index % 2 ? from.deps : { ...from.deps }, body).finally(() => over++),
  );
  await eventually(() => over).toBe(done);
  return handling;
}

const sendTests = async (id: string, count: number, from = office) => {
  for (let i = 0; i < count; i++) expect((await from.request(`/${id}/test`, 'POST', {})).status).toBe(202);
};

const hang = (hanging: Receiver) => {
  const waiting: ServerResponse[] = [];
  hanging.answer((response) => void waiting.push(response));
  return waiting;
};

const sentIds = () => receiver.received.map(({ headers }) => headers['webhook-id']);

describe('the attempts of an account', () => {
  test('to one host are a few at once, by whatever port and in however many processes; the others wait, and arrive once', async () => {
    const other = await startReceiver();
    onTestFinished(() => other.close());
    office.deps.web.allowedHosts = new Set([receiver.host, other.host]);
    const both = [await idOf(await make()), await idOf(await make(other.url))];
    const waiting = [hang(receiver), hang(other)];
    for (let i = 0; i < 6; i++) for (const id of both) await sendTests(id, 1);
    const handling = await handleAtOnce(12 - mostOfHost);
    await eventually(() => waiting.flat().length).toBe(mostOfHost);
    for (const each of [receiver, other]) each.answer(200);
    for (const response of waiting.flat()) response.end();
    await Promise.all(handling);
    await office.sendAll();
    const sent = [...receiver.received, ...other.received].map(({ headers }) => headers['webhook-id']);
    expect([sent.length, new Set(sent).size]).toEqual([12, 12]);
    const { deliveries } = (await (await office.request(`/${both[0]}/deliveries`)).json()) as {
      deliveries: { status: string; attempts: number }[];
    };
    expect(deliveries.map(({ status, attempts }) => [status, attempts])).toEqual(
      Array.from({ length: 6 }, () => ['succeeded', 1]),
    );
  });

  test('to many hosts are so many at once, and hold up nobody else’s', async () => {
    for (const host of hosts()) await sendTests(await idOf(await make(`http://${host}/`)), mostOfHost);
    const waiting = hang(receiver);
    const handling = await handleAtOnce(hostsCount * mostOfHost - mostOfAccount);
    await eventually(() => receiver.received.length).toBe(mostOfAccount);
    const stranger = await openOffice();
    const made = await stranger.request('', 'POST', { url: receiver.url, events: ['run.succeeded'] });
    await sendTests(await idOf(made), 1, stranger);
    receiver.answer(200);
    await stranger.sendAll(1_000);
    expect(receiver.received).toHaveLength(mostOfAccount + 1);
    for (const response of waiting) response.end();
    await Promise.all(handling);
    await office.sendAll();
    expect(new Set(sentIds()).size).toBe(hostsCount * mostOfHost + 1);
  });

  test('hold no more invocations of the function than they are, in whatever batches SQS gives them', async () => {
    for (const host of hosts()) await sendTests(await idOf(await make(`http://${host}/`)), 6);
    const waiting = hang(receiver);
    const bodies = office.queue.splice(0).map(({ body }) => body);
    let over = 0;
    // Each invocation has two attempts, and is over once both are.
    const invocations = Array.from({ length: bodies.length / 2 }, (_, i) => {
      const Records = [2 * i, 2 * i + 1].map((at) => ({ messageId: `${at}`, body: bodies[at]! }));
      return webhookHandler(office.deps)({ Records }).finally(() => over++);
    });
    await eventually(() => waiting.length).toBe(mostOfAccount);
    await eventually(() => over).toBeGreaterThanOrEqual(invocations.length - mostOfAccount);
    receiver.answer(200);
    for (const response of waiting) response.end();
    expect(await Promise.all(invocations)).toEqual(invocations.map(() => ({ batchItemFailures: [] })));
  });

  test.each([
    ['have ended by their names', 0],
    ['were named before the clock went back', 100 * 3_600_000],
  ])('that died with their processes hold no place once they %s', async (_, ahead) => {
    const { accountId, deps } = office;
    const name = (i: number) => `${deps.clock() + ahead + 20_000}#${i}`;
    const names = new Set(Array.from({ length: mostOfAccount }, (_each, i) => name(i)));
    await putItem(deps, {
      TableName: dynamo.tables.runs,
      Item: {
        ...{ pk: `ATTEMPTS#${accountId}`, sk: 'UNDERWAY', expiresAtSeconds: 9e9 },
        ...{ attempts: names, 'host#127.0.0.1': names },
      },
    });
    await sendTests(await idOf(await make()), 1);
    await office.sendDue();
    if (ahead === 0) expect(receiver.received).toHaveLength(0);
    await office.sendAll(40_000);
    expect(receiver.received).toHaveLength(1);
  });

  test('that wait for a receiver that hangs look for room ever more seldom', async () => {
    const { accountId, deps } = office;
    const id = await idOf(await make());
    await sendTests(id, 1);
    let looks = 0;
    const end = deps.clock() + 24 * 3_600_000;
    while (deps.clock() < end) {
      // All places are taken, by attempts that have just begun.
      const names = new Set(Array.from({ length: mostOfAccount }, (_, i) => `${deps.clock() + 20_000}#${i}`));
      const Item = { pk: `ATTEMPTS#${accountId}`, sk: 'UNDERWAY', expiresAtSeconds: 9e9, attempts: names };
      await putItem(deps, { TableName: dynamo.tables.runs, Item });
      await office.sendDue();
      looks++;
      deps.clock.advance(Math.max(1, Math.min(...office.queue.map(({ at }) => at)) - deps.clock()));
    }
    expect(receiver.received).toEqual([]);
    expect(looks).toBeGreaterThan(90);
    expect(looks).toBeLessThan(140);
    const late = [];
    for await (const problem of checkWebhooks(deps)) if (problem.id === id) late.push(problem);
    expect(late).toHaveLength(1);
  });
});

test('what is queued for an account is in its group, whatever it tells of, so that accounts take turns', async () => {
  const { accountId, keyId, deps } = office;
  await make();
  const [id] = (await ids()) as [string];
  receiver.answer(503);
  const end = { accountId, keyId, event: 'run.succeeded', status: 'succeeded' } as const;
  await transact(deps, await tellRunEnd(deps, { ...end, agentId: 'ended' }));
  await tellRunEnd(deps, { ...end, agentId: 'never written' });
  await sendTests(id, mostOfAccount);
  await queueNotice(deps, { type: 'credits.low', accountId, creditId: 'none' });
  await office.sendAll(600_000);
  expect([...office.groups]).toEqual([accountId]);
  await tellRunEnd(deps, { ...end, agentId: 'lost' }).then((writes) => transact(deps, writes));
  await resendWebhooks(deps);
  // It resends what other tests of this file have left, too.
  expect([...office.groups].filter((group) => !group?.startsWith('account_'))).toEqual([]);
});

test('a pointer that an earlier release queued, which does not say whose it is, is looked for again', async () => {
  await handleQueued(office.deps, JSON.stringify({ kind: 'message', source: 'ended-before', looks: 0 }));
  expect(office.queue).toHaveLength(1);
  expect([...office.groups]).toEqual(['ended-before']);
});
