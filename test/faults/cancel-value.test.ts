import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdFirst, type Subject, startSubject, timesAsked } from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import { expectSoundBooks } from './support/sound-books.ts';
import { valueRun } from './support/value-run.ts';
import { startTestWorker } from './support/workers.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(async () => {
  await expectSoundBooks(ground);
  await ground.close();
});

const completions = (count: number) => Array.from({ length: count }, (_, i) => `completion-${i + 1}`);

async function cancel({ desk, agentId }: Subject): Promise<void> {
  const response = await desk.request(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
  expect(response.status).toBe(202);
}

test.concurrent.each([
  { where: 'its value is written', what: 'completion-3', charges: completions(2) },
  { where: 'it is repaired', what: 'completion-4', charges: completions(3) },
  { where: 'it is repaired again', what: 'completion-5', charges: completions(4) },
  { where: 'it is proved', what: 'decision:2', charges: completions(5) },
  { where: 'it is checked', what: 'completion-6', charges: [...completions(5), 'proof-1-0'] },
  { where: 'a new one is repaired', what: 'completion-7', charges: [...completions(6), 'proof-1-0'] },
])(
  'a run with a schema that is cancelled while $where is charged its work and the call, and one that goes on with it ends with the value',
  async ({ what, charges }) => {
    const subject = await startSubject(ground, `cancel-value-${what.replace(/\W/g, '-')}`, valueRun);
    const { desk, agentId, label } = subject;
    const hold = holdFirst(subject, what);
    const worker = await startTestWorker(ground.settings, desk.queues, { parts: desk.parts });
    await hold.asked;
    await cancel(subject);
    expect((await desk.follow(agentId)).at(-1)).toMatchObject({ type: 'error', message: 'Cancelled' });
    const run = await desk.read(agentId);
    expect(run).toMatchObject({ status: 'failed', error: 'Cancelled' });
    for (const field of ['result', 'output', 'basis', 'stopReason']) expect(run).not.toHaveProperty(field);
    const cancelled = await desk.charged(agentId);
    const made = charges.filter((id) => id.startsWith('completion-'));
    // The document's passages, and what was looked for in them.
    const read = ['tool-1-0-0', 'tool-1-0-1'];
    expect(cancelled.ids).toEqual([...charges, ...read, `broken-off-${made.length}-0`].toSorted());
    expect(cancelled.spentNanoEuro).toBe(cancelled.sumNanoEuro);
    hold.open();
    const asked = timesAsked(subject, made);
    const next = await desk.start({ previousRunId: agentId, proof: true, tools: ['document_parse'] });
    expect((await desk.follow(next)).at(-1)).toMatchObject({ type: 'done' });
    // Nothing that was read bears out either field, and one of them may be null.
    expect(await desk.read(next)).toMatchObject({
      output: { tide: `High water is at noon (${label})`, ducats: null },
      unsupported: ['/tide', '/ducats'],
      basis: [{ pointer: '/tide' }, { pointer: '/ducats' }],
    });
    expect(timesAsked(subject, made)).toEqual(asked);
    await worker.stop();
    desk.close();
  },
);
