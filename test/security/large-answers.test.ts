import { setImmediate } from 'node:timers/promises';
import { limits, sha256Hex } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../faults/support/desk.ts';
import { type Ground, startGround } from '../faults/support/ground.ts';
import { startTestWorker, worksOff } from '../faults/support/workers.ts';
import { wrapFiles } from '../support/files.ts';
import { heldTime } from './support/held-time.ts';

/** Texts lie in the bucket as they are, or compressed. */
const readsText: ReadonlySet<string> = new Set(['getText', 'getBytes']);

/** Stays long when it is compressed. */
const longAnswer = Array.from({ length: 1_500 }, (_, i) =>
  Buffer.from(sha256Hex(`noon ${i}`), 'hex').toString('base64url'),
).join(' ');

let ground: Ground;
let desk: Desk;
let atOnce = 0;
let most = 0;

beforeAll(async () => {
  ground = await startGround();
  desk = await openDesk(ground, heldTime().clock);
  wrapFiles(desk.parts.files, async ({ method }, work) => {
    if (!readsText.has(method)) return work();
    most = Math.max(most, ++atOnce);
    // Whoever asks at the same time has asked by then.
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    return work().finally(() => {
      atOnce--;
    });
  });
});
afterAll(async () => {
  desk.close();
  await ground.close();
});

/** The most texts that are read from the bucket at once, while the request is sent once, and then thirty times at once. */
async function readsOf(path: string): Promise<{ alone: number; together: number }> {
  const send = async () => expect((await desk.request(path)).status).toBe(200);
  most = 0;
  await send();
  const alone = most;
  await Promise.all(Array.from({ length: 30 }, send));
  return { alone, together: most };
}

test('pages of large events are read a few at a time, however many are asked for at once', async () => {
  ground.outside.script('large', () => ({ text: longAnswer }));
  const agentId = await desk.start({ question: 'When? [large run]' });
  const worker = await startTestWorker({ ...ground.settings, leaseSeconds: 60 }, desk.queues);
  await worksOff(worker);
  await worker.stop();
  const { alone, together } = await readsOf(`/v1/agents/runs/${agentId}/events`);
  expect(alone).toBeGreaterThan(0);
  expect(together).toBeLessThanOrEqual(limits.largeReadsAtOnce * alone);
});

test('large kept responses are read a few at a time, however many are asked for at once', async () => {
  ground.outside.script('kept', () => ({ text: 'It is noon.' }));
  const answer = await desk.request('/v1/responses', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'writer', input: `When? [kept run] ${'Say it. '.repeat(10_000)}` }),
  });
  expect(answer.status).toBe(200);
  const { id } = (await answer.json()) as { id: string };
  const { alone, together } = await readsOf(`/v1/responses/${id}`);
  expect(alone).toBe(1);
  expect(together).toBeLessThanOrEqual(limits.largeReadsAtOnce);
});
