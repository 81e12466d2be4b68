import { addCredits } from '@errand/money';
import { accountsDeps } from '@errand/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wrapFiles } from '../support/files.ts';
import type { RunEvent } from '../support/service.ts';
import { type Desk, openDesk } from './support/desk.ts';
import { type Ground, startGround } from './support/ground.ts';
import { hookCalls, type Point } from './support/points.ts';
import { expectSoundBooks } from './support/sound-books.ts';
import { startTestWorker } from './support/workers.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(async () => {
  await expectSoundBooks(ground);
  await ground.close();
});

/** Works a run off, and has it cancelled before its last commit. Resolves with its events. */
async function cancelledAtItsEnd(desk: Desk, agentId: string, commits: number): Promise<RunEvent[]> {
  const before = async ({ kind, ordinal }: Point) => {
    if (kind === 'commit' && ordinal === commits)
      await desk.request(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
  };
  const worker = await startTestWorker(ground.settings, desk.queues, { hooks: { before } });
  const events = await desk.follow(agentId);
  await worker.stop();
  expect(events.at(-1)).toMatchObject({ type: 'error', message: 'Cancelled' });
  return events;
}

async function workedOff(desk: Desk, body: object): Promise<{ agentId: string; events: RunEvent[] }> {
  const agentId = await desk.start(body);
  const worker = await startTestWorker(ground.settings, desk.queues);
  const events = await desk.follow(agentId);
  await worker.stop();
  return { agentId, events };
}

test('a run that is cancelled as it asks has asked nothing: it cannot be answered, and the run that goes on from it asks', async () => {
  const desk = await openDesk(ground);
  const call = { name: 'save_data', args: { name: 'tide', value: 'low' } };
  ground.outside.script('asks', (number) => (number === 1 ? { calls: [call] } : { text: 'Saved.' }));
  const approve = ['save_data'];
  const previousRunId = await desk.start({ question: 'Save it [asks run]', approve });
  const untold = await cancelledAtItsEnd(desk, previousRunId, 3);
  expect(untold.map(({ type }) => type)).not.toContain('input_required');
  const approvals = [{ callId: 'call_0', approve: true }];
  const blind = await desk.request('/v1/agents/runs', {
    method: 'POST',
    body: JSON.stringify({ previousRunId, approve, approvals }),
  });
  expect([blind.status, await blind.text()]).toEqual([400, expect.stringContaining('was not asked for')]);
  const { agentId, events } = await workedOff(desk, { previousRunId, approve });
  expect(events.at(-1)).toMatchObject({ type: 'input_required', calls: [{ name: 'save_data' }] });
  const { calls } = events.at(-1) as unknown as { calls: { id: string }[] };
  const answer = { previousRunId: agentId, approve, approvals: [{ callId: calls[0]!.id, approve: true }] };
  expect((await workedOff(desk, answer)).events.at(-1)).toMatchObject({ type: 'done', finalText: 'Saved.' });
  expect((await desk.charged(previousRunId)).ids).toEqual(['completion-1']);
  expect((await desk.charged(agentId)).ids).toEqual([]);
});

test('a run that is cancelled as it answers goes on with its check: its model is not asked to answer its own answer', async () => {
  const desk = await openDesk(ground);
  const told: string[] = [];
  ground.outside.script('answers', (_, last) => {
    told.push(last);
    return { text: 'Boats are.' };
  });
  const previousRunId = await desk.start({ question: 'What is moored? [answers run]' });
  await cancelledAtItsEnd(desk, previousRunId, 3);
  const { agentId, events } = await workedOff(desk, { previousRunId });
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Boats are.' });
  expect(told.filter((last) => last === 'Boats are.')).toEqual([]);
  expect((await desk.charged(previousRunId)).ids).toEqual(['completion-1', 'completion-2']);
  expect((await desk.charged(agentId)).ids).toEqual(['completion-1']);
});

async function sendRecording(desk: Desk): Promise<string> {
  const form = new FormData();
  form.set('question', 'What is said? [heard run]');
  form.set('file', new Blob(['not really a recording']), 'heard--sent.mp3');
  const sent = new Response(form);
  const headers = { 'Content-Type': sent.headers.get('Content-Type') ?? '' };
  const body = await sent.arrayBuffer();
  const created = await desk.request('/v1/agents/runs', { method: 'POST', body, headers });
  const { agentId } = (await created.json()) as { agentId: string };
  await desk.request(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
  return agentId;
}

test('a recording of the run before is copied once for requests of one key at once, and for none that is refused', async () => {
  const desk = await openDesk(ground);
  const previousRunId = await sendRecording(desk);
  const together = await desk.colleague();
  const both = Promise.withResolvers<void>();
  let copies = 0;
  wrapFiles(together.parts.files, async ({ method }, call) => {
    if (method !== 'copy') return call();
    copies++;
    if (copies === 2) both.resolve();
    await both.promise;
    return call();
  });
  hookCalls(together.parts.aws, together.parts.files, {
    before({ kind, ordinal }) {
      if (kind === 'save value' && ordinal === 2) both.resolve();
    },
  });
  const headers = { 'Idempotency-Key': 'at-once' };
  const create = () =>
    together.request('/v1/agents/runs', { method: 'POST', body: JSON.stringify({ previousRunId }), headers });
  const answers = await Promise.all([create(), create()]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  expect(copies).toBe(1);
  // What is left does not pay for a completion.
  await addCredits(accountsDeps(desk.parts), { accountId: desk.accountId, amountNanoEuro: -9_999_999_000 });
  const poor = await together.request('/v1/agents/runs', {
    method: 'POST',
    body: JSON.stringify({ previousRunId }),
  });
  expect(poor.status).toBe(402);
  expect(copies).toBe(1);
});
