import { startTicking } from '@errand/local/testing';
import { expect, onTestFinished, test } from 'vitest';
import { heldClock } from '../support/accounts.ts';
import { startTestDynamo } from '../support/dynamodb.ts';
import { newCaller, startProcess } from './support/processes.ts';

test('on one machine, schedules are looked after every few seconds until the service stops', async () => {
  const dynamo = await startTestDynamo();
  onTestFinished(() => dynamo.close());
  const clock = heldClock('2026-11-27T10:00:00.000Z');
  const caller = await newCaller(dynamo, clock);
  const pauses: { milliseconds: number; end(): void }[] = [];
  const wait = (milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((end, fail) => {
      pauses.push({ milliseconds, end });
      signal?.addEventListener('abort', () => fail(signal.reason));
    });
  const process = startProcess(dynamo, { clock, caller });
  onTestFinished(() => process.close());
  const body = { question: 'What is new?', every: '1h' };
  const { id } = (await (await process.request('/v1/schedules', 'POST', body)).json()) as { id: string };
  const ticking = startTicking(process.parts, wait);
  await expect.poll(() => pauses).toHaveLength(1);
  clock.advance(60 * 60 * 1_000);
  pauses[0]?.end();
  await expect.poll(() => pauses).toHaveLength(2);
  expect(pauses.map(({ milliseconds }) => milliseconds)).toEqual([5_000, 5_000]);
  const { outcomes } = (await (await process.request(`/v1/schedules/${id}`)).json()) as {
    outcomes: object[];
  };
  expect(outcomes).toMatchObject([{ status: 'running' }]);
  await ticking.stop();
  expect(pauses).toHaveLength(2);
});
