import { addCredits } from '@errand/money';
import { limits, parseJson } from '@errand/platform';
import { accountsDeps } from '@errand/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../faults/support/desk.ts';
import { type Ground, startGround } from '../faults/support/ground.ts';
import { heldTime } from './support/held-time.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.close());

interface Ticket {
  uploadId: string;
  url: string;
  method: string;
  headers: Record<string, string>;
}

const announce = ({ request }: Desk, body: object = { filename: 'a.txt', size: 4 }) =>
  request('/v1/uploads', { method: 'POST', body: JSON.stringify(body) });

async function open(desk: Desk): Promise<Ticket> {
  const response = await announce(desk);
  expect(response.status).toBe(201);
  return (await response.json()) as Ticket;
}

const createRun = ({ request }: Desk, uploadId: string) =>
  request('/v1/agents/runs', { method: 'POST', body: JSON.stringify({ question: 'q', uploadId }) });

const send = ({ url, method, headers }: Ticket) => fetch(url, { method, headers, body: 'text' });

async function fill(desk: Desk): Promise<Ticket[]> {
  const tickets = [];
  for (let opened = 0; opened < limits.openUploads; opened++) tickets.push(await open(desk));
  return tickets;
}

async function expectFull(desk: Desk, retryAfterSeconds: number): Promise<void> {
  const response = await announce(desk);
  expect([response.status, response.headers.get('Retry-After'), await response.text()]).toEqual([
    429,
    String(retryAfterSeconds),
    'This account has 20 open uploads. Create a run with one of them, or wait until one expires.',
  ]);
}

test('of uploads that are opened at the same time in two processes, twenty are let in', async () => {
  const { clock } = heldTime();
  const desk = await openDesk(ground, clock);
  const colleague = await desk.colleague();
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => (await announce(i % 2 ? colleague : desk)).status),
  );
  expect(answers.filter((status) => status === 201)).toHaveLength(limits.openUploads);
  expect(answers.filter((status) => status === 429)).toHaveLength(60 - limits.openUploads);
  await expectFull(desk, limits.uploadUsableSeconds);
  const other = await openDesk(ground, clock);
  await open(other);
  for (const one of [desk, colleague, other]) one.close();
});

test('places are free again when their uploads expire, and a 429 says when the next one does', async () => {
  const time = heldTime();
  const desk = await openDesk(ground, time.clock);
  await open(desk);
  time.advance(600_000);
  for (let opened = 1; opened < limits.openUploads; opened++) await open(desk);
  await expectFull(desk, limits.uploadUsableSeconds - 600);
  time.advance((limits.uploadUsableSeconds - 600) * 1000);
  await open(desk);
  await expectFull(desk, 600);
  time.advance(600_000);
  const answers = await Promise.all(Array.from({ length: 30 }, async () => (await announce(desk)).status));
  expect(answers.filter((status) => status === 201)).toHaveLength(limits.openUploads - 1);
  desk.close();
});

test('uploads that were opened before the clock went back hold no places any more', async () => {
  const time = heldTime();
  const desk = await openDesk(ground, time.clock);
  const [first] = (await fill(desk)) as [Ticket];
  expect((await send(first)).status).toBe(200);
  time.clock.advance(-2 * 3_600_000);
  await fill(desk);
  await expectFull(desk, limits.uploadUsableSeconds);
  expect((await createRun(desk, first.uploadId)).status).toBe(202);
  desk.close();
});

test('a run that takes an upload frees its place, once; a request that is refused frees none', async () => {
  const { clock } = heldTime();
  const desk = await openDesk(ground, clock);
  const [first, second] = (await fill(desk)) as [Ticket, Ticket];
  const refusals = await Promise.all([
    createRun(desk, first.uploadId),
    createRun(desk, second.uploadId),
    createRun(desk, 'upload_none'),
  ]);
  expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400]);
  await expectFull(desk, limits.uploadUsableSeconds);
  expect((await send(first)).status).toBe(200);
  const taking = await Promise.all(Array.from({ length: 5 }, () => createRun(desk, first.uploadId)));
  expect(taking.filter(({ status }) => status === 202)).toHaveLength(1);
  await open(desk);
  await expectFull(desk, limits.uploadUsableSeconds);
  desk.close();
});

test('an account without credits gets no link: a 402 before the body is looked at, and after the rate', async () => {
  const { clock } = heldTime();
  const desk = await openDesk(ground, clock);
  await addCredits(accountsDeps(desk.parts), { accountId: desk.accountId, amountNanoEuro: -10_000_000_000 });
  const response = await announce(desk, {});
  expect([response.status, parseJson(await response.text())]).toEqual([
    402,
    { error: 'No remaining credits (EUR)', available: '0', needed: '0.000000001' },
  ]);
  expect(response.headers.get('RateLimit-Remaining')).not.toBeNull();
  await addCredits(accountsDeps(desk.parts), { accountId: desk.accountId, amountNanoEuro: 1 });
  expect((await announce(desk, {})).status).toBe(400);
  await open(desk);
  desk.close();
});
