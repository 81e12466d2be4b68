import { createHmac } from 'node:crypto';
import { createSealer, queryAll, type Sealer, transact, updateItem } from '@errand/platform';
import { tellRunEnd } from '@errand/webhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';
import type { Received } from '../support/local-server.ts';
import { openPostOffice, type PostOffice } from './support/post-office.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

const first = 'the first secret of this store, long enough';
const second = 'the second secret of this store, long enough';
let dynamo: TestDynamo;
let receiver: Receiver;
let office: PostOffice;
/** The secrets of the store, the newest first. */
let ring: string[];
let runs = 0;

/** As a process has it that was started just now. */
const sealer: Sealer = {
  seal: (...given) => createSealer(ring).seal(...given),
  open: (...given) => createSealer(ring).open(...given),
};

beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());
beforeEach(async () => {
  ring = [first];
  receiver = await startReceiver();
  office = await openPostOffice(dynamo, { allowedHosts: [receiver.host], more: { sealer } });
});
afterEach(() => receiver.close());

interface Made {
  id: string;
  secret: string;
}

async function make(): Promise<Made> {
  const body = { url: `${receiver.url}/hook`, events: ['run.succeeded'] };
  return (await (await office.request('', 'POST', body)).json()) as Made;
}

const rotate = async (id: string) => (await (await office.request(`/${id}/rotate`, 'POST')).json()) as Made;

const stored = () =>
  queryAll<Record<string, unknown> & { pk: string; sk: string }>(office.deps, {
    TableName: office.deps.tables.accounts,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': `WEBHOOKS#${office.accountId}` },
  });

/** Tells of an end of a run, and returns what the receiver got of it. */
async function tell(): Promise<Received[]> {
  const { accountId, keyId, deps } = office;
  const before = receiver.received.length;
  const end = {
    agentId: `run-${++runs}`,
    accountId,
    keyId,
    event: 'run.succeeded',
    status: 'succeeded',
  } as const;
  await transact(deps, await tellRunEnd(deps, end));
  await office.sendAll(10_000);
  return receiver.received.slice(before);
}

const deliveries = async (id: string) =>
  ((await (await office.request(`/${id}/deliveries`)).json()) as { deliveries: Record<string, unknown>[] })
    .deliveries;

/** By the rules of Standard Webhooks, whose library looks at the time of the machine. */
function isSignedWith(secret: string, { body, headers }: Received): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${signature}`);
}

test('a secret is stored encrypted, before and after a rotation, and signs', async () => {
  const { id, secret } = await make();
  const { secret: newer } = await rotate(id);
  expect(newer).not.toBe(secret);
  const [item] = await stored();
  expect(item).toMatchObject({
    secret: expect.stringMatching(/^sealed-1\./),
    previous: { secret: expect.stringMatching(/^sealed-1\./) },
  });
  const [told] = await tell();
  for (const each of [secret, newer]) expect(isSignedWith(each, told!)).toBe(true);
});

test('a secret that an earlier release stored as it is signs, also after a rotation', async () => {
  const { id } = await make();
  const secret = `whsec_${Buffer.alloc(32, 'an earlier secret').toString('base64')}`;
  const [{ pk, sk } = { pk: '', sk: '' }] = await stored();
  await updateItem(office.deps, {
    condition: 'endpoint-exists',
    TableName: office.deps.tables.accounts,
    Key: { pk, sk },
    UpdateExpression: 'SET secret = :secret',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':secret': secret },
  });
  expect(isSignedWith(secret, (await tell())[0]!)).toBe(true);
  const { secret: newer } = await rotate(id);
  const [told] = await tell();
  for (const each of [secret, newer]) expect(isSignedWith(each, told!)).toBe(true);
});

test('a secret signs while the key that it was encrypted with is one of the earlier ones', async () => {
  const { secret } = await make();
  ring = [second, first];
  expect(isSignedWith(secret, (await tell())[0]!)).toBe(true);
});

test('nothing is sent where the key is lost: the delivery says why, and a rotation mends it', async () => {
  const { id } = await make();
  ring = [second];
  expect(await tell()).toEqual([]);
  expect(await deliveries(id)).toMatchObject([
    { status: 'pending', error: 'The secret of this webhook cannot be read any more: rotate it.' },
  ]);
  const { secret } = await rotate(id);
  const told = await tell();
  expect(told.length).toBeGreaterThan(0);
  for (const each of told) expect(isSignedWith(secret, each)).toBe(true);
});

test("a secret that is moved to another webhook's item signs nothing there", async () => {
  await make();
  await make();
  const [one, other] = await stored();
  await updateItem(office.deps, {
    condition: 'endpoint-exists',
    TableName: office.deps.tables.accounts,
    Key: { pk: one!.pk, sk: one!.sk },
    UpdateExpression: 'SET secret = :secret',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':secret': other!.secret },
  });
  expect(await tell()).toHaveLength(1);
  expect(await deliveries(String(one!.id))).toMatchObject([{ status: 'pending' }]);
});
