import { revokeKey } from '@errand/accounts';
import { newUuid, transact } from '@errand/platform';
import { tellRunEnd } from '@errand/webhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';
import { openPostOffice, type PostOffice } from './support/post-office.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

let dynamo: TestDynamo;
let receiver: Receiver;
let office: PostOffice;

beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());
beforeEach(async () => {
  receiver = await startReceiver();
  office = await openPostOffice(dynamo, { allowedHosts: [receiver.host] });
});
afterEach(() => receiver.close());

const hour = 3_600_000;

interface View {
  id: string;
  enabled: boolean;
  disabledReason?: string;
}

async function make(path = '/hook'): Promise<string> {
  const body = { url: `${receiver.url}${path}`, events: ['run.succeeded'] };
  return ((await (await office.request('', 'POST', body)).json()) as View).id;
}

const read = async (id: string) => (await (await office.request(`/${id}`)).json()) as View;

const deliveries = async (id: string) =>
  ((await (await office.request(`/${id}/deliveries`)).json()) as { deliveries: Record<string, unknown>[] })
    .deliveries;

/** Tells of the end of a run, as the worker that ends it does. */
async function tell(agentId: string, url?: string): Promise<void> {
  const { accountId, keyId, deps } = office;
  const end = { agentId, accountId, keyId, event: 'run.succeeded', status: 'succeeded', url } as const;
  const writes = await tellRunEnd(deps, end);
  if (writes.length > 0) await transact(deps, writes);
}

describe('a receiver that is down', () => {
  test('for a day gets what it missed, with the same id, and less than half a day after it is back', async () => {
    const id = await make();
    receiver.answer(503);
    await tell('run-1');
    await office.sendAll(24 * hour);
    const missed = receiver.received.length;
    expect(missed).toBeGreaterThan(8);
    expect(await deliveries(id)).toMatchObject([
      { status: 'pending', attempts: missed, response: { status: 503 } },
    ]);
    receiver.answer(200);
    expect(await office.sendAll()).toBeLessThan(14 * hour);
    expect(await deliveries(id)).toMatchObject([{ status: 'succeeded', attempts: missed + 1 }]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(
      missed + 1,
    );
    expect(await read(id)).toMatchObject({ enabled: true });
  });

  test('for three days is switched off, says so, and hears again once its owner switches it on', async () => {
    const id = await make();
    receiver.answer(500);
    await tell('run-2');
    const passed = await office.sendAll();
    expect(passed / hour).toBeCloseTo(72, 0);
    expect(await deliveries(id)).toMatchObject([{ status: 'failed', response: { status: 500 } }]);
    expect(await read(id)).toMatchObject({ enabled: false, disabledReason: 'failing' });
    const attempts = receiver.received.length;
    await tell('run-3');
    await office.sendAll();
    expect(receiver.received).toHaveLength(attempts);
    receiver.answer(200);
    expect(await (await office.request(`/${id}`, 'PATCH', { enabled: true })).json()).toMatchObject({
      enabled: true,
    });
    await tell('run-4');
    await office.sendAll();
    expect(await deliveries(id)).toMatchObject([{ status: 'succeeded' }, { status: 'failed' }]);
  });

  test('is tried after pauses that grow, of which no message of the queue is longer than a quarter of an hour', async () => {
    await make();
    receiver.answer(503);
    await tell('run-5');
    const delays: number[] = [];
    const times: number[] = [];
    while (office.queue.length > 0) {
      const before = receiver.received.length;
      await office.sendDue();
      if (receiver.received.length > before) times.push(office.deps.clock());
      delays.push(...office.queue.map(({ at }) => at - office.deps.clock()));
      if (office.queue.length > 0)
        office.deps.clock.advance(Math.min(...office.queue.map(({ at }) => at)) - office.deps.clock());
    }
    expect(Math.max(...delays)).toBe(900_000);
    const pauses = times.slice(1).map((time, index) => (time - times[index]!) / 1000);
    expect(pauses.length).toBeGreaterThan(10);
    for (const [index, least] of [5, 60, 300, 900, 3_600, 7_200, 14_400, 28_800, 43_200].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(least - 1);
      expect(pauses[index]).toBeLessThanOrEqual(least * 1.1 + 2);
    }
  });

  test('and says 410 is switched off at once', async () => {
    const id = await make();
    receiver.answer(410);
    await tell('run-6');
    await office.sendAll();
    expect(receiver.received).toHaveLength(1);
    expect(await read(id)).toMatchObject({ enabled: false, disabledReason: 'gone' });
    expect(await deliveries(id)).toMatchObject([
      { status: 'failed', attempts: 1, response: { status: 410 } },
    ]);
  });

  test('now and then stays on, because a success forgets earlier failures', async () => {
    const id = await make();
    for (let day = 0; day < 5; day++) {
      receiver.answer(503);
      await tell(`run-7-${day}`);
      await office.sendDue();
      office.deps.clock.advance(2_000);
      await office.sendDue();
      receiver.answer(200);
      await office.sendAll();
      office.deps.clock.advance(24 * hour);
    }
    expect(await read(id)).toMatchObject({ enabled: true });
  });

  test('does not change the webhook if the receiver is the address of a run', async () => {
    const id = await make();
    await office.request(`/${id}`, 'PATCH', { events: ['run.failed'] });
    receiver.answer(410);
    await tell('run-8', `${receiver.url}/own`);
    await office.sendAll();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/own']);
    expect(await read(id)).toMatchObject({ enabled: true });
  });
});

describe('a hostile receiver', () => {
  test('that redirects is not followed', async () => {
    const id = await make();
    receiver.answer((response) => response.writeHead(307, { location: `${receiver.url}/private` }).end());
    await tell('run-10');
    await office.sendAll(10_000);
    expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/hook']));
    expect(await deliveries(id)).toMatchObject([{ status: 'pending', response: { status: 307 } }]);
  });

  test('whose body never ends has its first kilobyte read, and nothing is waited for', async () => {
    const id = await make();
    receiver.answer((response) => {
      response.writeHead(500);
      const more = () => {
        while (response.write('endless '.repeat(1_000)));
      };
      response.on('drain', more);
      more();
    });
    await tell('run-11');
    await office.sendAll(1_500);
    const [delivery] = (await deliveries(id)) as [{ response: { body: string } }];
    expect(delivery.response.body).toBe('endless '.repeat(128));
  });

  test('that sends bytes that are no text, or a body that is compressed, is shown as what can be read', async () => {
    const id = await make();
    receiver.answer((response) =>
      response.writeHead(400, { 'content-encoding': 'gzip' }).end(Buffer.from([0x1f, 0x8b, 0xff, 0x00])),
    );
    await tell('run-12');
    await office.sendAll(1_500);
    expect(await deliveries(id)).toMatchObject([{ response: { status: 400, body: expect.any(String) } }]);
  });

  test.each([
    ['never answers', undefined, { status: 'pending', error: 'the host took too long to answer' }],
    ['sends a head and no body', '', { status: 'succeeded', response: { status: 200, body: '' } }],
    ['never ends its body', 'yes', { status: 'succeeded', response: { status: 200, body: 'yes' } }],
  ])('that %s is given up after its time', async (_, begun, expected) => {
    office = await openPostOffice(dynamo, {
      allowedHosts: [receiver.host],
      // What comes has the time to come on a busy machine.
      more: { receiverMilliseconds: begun === undefined ? 300 : 3_000 },
    });
    const id = await make();
    receiver.answer((response) => {
      if (begun === undefined) return;
      response.writeHead(200);
      response.flushHeaders();
      if (begun !== '') response.write(begun);
    });
    await tell(newUuid());
    await office.sendAll(1_500);
    expect(await deliveries(id)).toMatchObject([{ ...expected, attempts: 1 }]);
  });

  test('at an address that has become private is not reached', async () => {
    const hidden = await startReceiver();
    const id = await make();
    const { port } = new URL(hidden.url);
    const lookup = ((_host: string, _options: unknown, done: (error: null, found: object[]) => void) =>
      done(null, [{ address: '127.0.0.1', family: 4 }])) as never;
    office.deps.web.lookup = lookup;
    await office.request(`/${id}`, 'PATCH', { url: `https://rebound.example.com:${port}/` });
    await tell('run-14');
    await office.sendAll(1_500);
    expect(hidden.received).toEqual([]);
    expect(await deliveries(id)).toMatchObject([
      { status: 'pending', error: 'the host is not publicly reachable' },
    ]);
    await hidden.close();
  });
});

test('a revoked key’s webhooks hear nothing more', async () => {
  await make();
  await tell('run-20');
  await revokeKey(office.deps, office.keyId);
  await office.sendAll();
  expect(receiver.received).toEqual([]);
  expect(office.queue).toEqual([]);
});

test('a deleted webhook gets none of the deliveries that were under way', async () => {
  const id = await make();
  receiver.answer(503);
  await tell('run-21');
  await office.sendAll(10_000);
  const before = receiver.received.length;
  await office.request(`/${id}`, 'DELETE');
  await office.sendAll();
  expect(receiver.received).toHaveLength(before);
  expect(await (await office.request(`/${id}/deliveries`)).text()).toBe('{"error":"Not found"}');
});
