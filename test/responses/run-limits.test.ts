import { createKey } from '@errand/accounts';
import { type KeyLimits, limits, type StartTimer } from '@errand/platform';
import { accountsDeps, createWholeApp } from '@errand/service';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Desk, openDesk } from '../faults/support/desk.ts';
import { type Ground, startGround } from '../faults/support/ground.ts';

let ground: Ground;
let desk: Desk;
const now = Date.parse('2026-11-23T12:00:00Z');
/** The timers that wait as long as an answer may take, or for what is left of that. */
const timers: { milliseconds: number; end: () => void }[] = [];

beforeAll(async () => {
  ground = await startGround();
  const startTimer: StartTimer = (milliseconds, end) => {
    const timer = { milliseconds, end };
    timers.push(timer);
    return () => void timers.splice(timers.indexOf(timer), 1);
  };
  desk = await openDesk(
    ground,
    Object.assign(() => now, { startTimer }),
  );
});
afterAll(async () => {
  desk.close();
  await ground.close();
});
beforeEach(() => {
  timers.length = 0;
});

const run = { model: 'agent:default', input: 'When?' };
const post = (body: object, key = desk.key) =>
  desk.request('/v1/responses', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { Authorization: `Bearer ${key}` },
  });

const keyWith = async (keyLimits: KeyLimits) =>
  (await createKey(accountsDeps(desk.parts), { accountId: desk.accountId, label: 'test', limits: keyLimits }))
    .key;

test.each([limits.answerMilliseconds, 1_000 * limits.longestAnswerSeconds])(
  'a run that takes longer than an answer may (%d ms) is answered as it is, and read by its id',
  async (answerMilliseconds) => {
    // An app takes its times once, when it is made.
    const slow = createWholeApp({ ...desk.parts, config: { ...desk.parts.config, answerMilliseconds } });
    const headers = { Authorization: `Bearer ${desk.key}`, 'Content-Type': 'application/json' };
    const answered = slow.request('/v1/responses', { method: 'POST', body: JSON.stringify(run), headers });
    const due = () => timers.find(({ milliseconds }) => milliseconds === answerMilliseconds);
    await vi.waitFor(async () => {
      const page = (await (await desk.request('/v1/agents/runs')).json()) as { runs: { status: string }[] };
      const queued = page.runs.filter(({ status }) => status === 'queued');
      expect([queued.length, due()]).toEqual([1, expect.anything()]);
    }, 60_000);
    const usual = timers.some(({ milliseconds }) => milliseconds === limits.answerMilliseconds);
    expect(usual).toBe(answerMilliseconds === limits.answerMilliseconds);
    due()?.end();
    const response = await answered;
    expect(response.status).toBe(200);
    const { id, status } = (await response.json()) as { id: string; status: string };
    expect(status).toBe('in_progress');
    const read = await desk.request(`/v1/responses/${id}`);
    expect(await read.json()).toMatchObject({ id, status: 'queued', usage: null });
    const cancelled = await desk.request(`/v1/responses/${id}/cancel`, { method: 'POST' });
    expect(await cancelled.json()).toMatchObject({ id, status: 'cancelled', error: null });
  },
);

test('a key for chat starts no run and reads none, and a key for runs asks no chat model', async () => {
  const [chat, runs] = await Promise.all([keyWith({ routes: ['chat'] }), keyWith({ routes: ['runs'] })]);
  const refused = await post(run, chat);
  expect([refused.status, await refused.json()]).toMatchObject([403, { error: { code: 'route_forbidden' } }]);
  const started = await post({ ...run, background: true }, runs);
  expect(started.status).toBe(200);
  const { id } = (await started.json()) as { id: string };
  const headers = { Authorization: `Bearer ${chat}` };
  expect((await desk.request(`/v1/responses/${id}`, { headers })).status).toBe(403);
  expect((await post({ model: 'writer', input: 'Hi' }, runs)).status).toBe(403);
});

test('a request for a run is counted once, whether it is refused or not', async () => {
  const key = await keyWith({ rate: 3 });
  const remaining = async (body: object) =>
    Number((await post(body, key)).headers.get('RateLimit-Remaining'));
  expect(await remaining({ ...run, background: true })).toBe(2);
  expect(await remaining({ ...run, store: false })).toBe(1);
  expect(await remaining({ input: 'no model' })).toBe(0);
  expect((await post(run, key)).status).toBe(429);
});
