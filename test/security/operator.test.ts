import { GetQueueUrlCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { createKey } from '@errand/accounts';
import { systemClock, toIso, updateItem } from '@errand/platform';
import { accountsDeps } from '@errand/service';
import { expect, test } from 'vitest';
import { type Desk, openDesk } from '../faults/support/desk.ts';
import { holdFirst, startSubject } from '../faults/support/evidence.ts';
import type { Ground } from '../faults/support/ground.ts';
import { startTestWorker } from '../faults/support/workers.ts';
import { heldClock } from '../support/accounts.ts';
import { type Admin, useGroundWithAdmin } from './support/admin.ts';
import { heldTime } from './support/held-time.ts';

let ground: Ground;
let admin: Admin;
useGroundWithAdmin((started) => ({ ground, admin } = started));

interface Listed {
  runs: {
    agentId: string;
    keyId: string;
    status: string;
    ageSeconds: number;
    cost: string;
    previousRunId?: string;
  }[];
  cursor?: string;
}

test("an operator sees all runs of an account, of whichever key, newest first, a page at a time, and nobody else's", async () => {
  // For the operator, whose clock is the machine's, these runs are more than ten minutes old.
  const time = heldTime(heldClock(toIso(systemClock() - 700_000)));
  const desk = await openDesk(ground, time.clock);
  const other = await openDesk(ground, time.clock);
  const { key, keyId } = await createKey(accountsDeps(desk.parts), { accountId: desk.accountId, label: '2' });
  const withKey = (path: string, init: RequestInit) =>
    desk.request(path, { ...init, headers: { Authorization: `Bearer ${key}` } });
  const started: string[] = [];
  for (let i = 0; i < 7; i++) {
    time.advance(1_000);
    await other.start({ question: 'Not of this account.' });
    if (i % 3 === 0) {
      const init = { method: 'POST', body: JSON.stringify({ question: 'q' }) };
      const response = await withKey('/v1/agents/runs', init);
      started.push(((await response.json()) as { agentId: string }).agentId);
    } else started.push(await desk.start({ question: 'q' }));
  }
  const seen: Listed['runs'] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const next = cursor === undefined ? [] : ['--cursor', cursor];
    const line = ['run', 'list', '--account', desk.accountId, '--limit', '2', ...next];
    const page = (await admin(...line)) as unknown as Listed;
    seen.push(...page.runs);
    ({ cursor } = page);
    pages++;
  } while (cursor !== undefined);
  expect(seen.map(({ agentId }) => agentId)).toEqual(started.toReversed());
  expect(pages).toBe(4);
  expect(seen.at(-1)).toMatchObject({ keyId, status: 'queued', cost: '0' });
  expect(seen.at(-1)?.ageSeconds).toBeGreaterThanOrEqual(600);
  await expect(admin('run', 'list', '--account', 'account_none')).rejects.toThrow('There is no account');
  await expect(admin('run', 'list', '--account', desk.accountId, '--cursor', 'x')).rejects.toThrow('cursor');
  await expect(admin('run', 'list', '--account', desk.accountId, '--limit', '0')).rejects.toThrow('--limit');
  desk.close();
  other.close();
});

async function expectCancelled({ record }: Desk, agentId: string): Promise<void> {
  expect(await record(agentId)).toMatchObject({ status: 'failed', error: 'Cancelled' });
}

test('an operator cancels any run: a waiting run at once, a running one through its worker, and sees what goes on from it', async () => {
  const subject = await startSubject(ground, 'operator-cancels');
  const { desk, agentId } = subject;
  const elsewhere = await desk.colleague(systemClock, await ground.newQueues());
  const waiting = await elsewhere.start({ question: 'Wait.' });
  expect(await admin('run', 'cancel', waiting)).toMatchObject({ agentId: waiting, status: 'failed' });
  await expectCancelled(desk, waiting);
  const next = await elsewhere.start({ question: 'Go on.', previousRunId: waiting });
  const { runs } = (await admin('run', 'list', '--account', desk.accountId)) as unknown as Listed;
  expect(runs.map((run) => [run.agentId, run.previousRunId])).toEqual(
    expect.arrayContaining([
      [next, waiting],
      [waiting, undefined],
    ]),
  );
  const hold = holdFirst(subject, 'completion-2');
  const worker = await startTestWorker(ground.settings, desk.queues);
  await hold.asked;
  expect(await admin('run', 'cancel', agentId)).toMatchObject({ agentId, status: 'running' });
  expect(await worker.handled()).toBe('deleted');
  await expectCancelled(desk, agentId);
  expect((await desk.charged(agentId)).ids).toEqual([
    'broken-off-1-0',
    'completion-1',
    'forced-0-0',
    'forced-1-0',
  ]);
  expect(await admin('run', 'cancel', agentId)).toMatchObject({ status: 'failed' });
  await expect(admin('run', 'cancel', 'none')).rejects.toThrow('There is no run none.');
  hold.open();
  await worker.stop();
  elsewhere.close();
  desk.close();
});

test('a sub-run that an operator cancels wakes the run that waits for it', async () => {
  const desk = await openDesk(ground);
  const { aws, tables } = desk.parts;
  const [parent, subRun] = [await desk.start({ question: 'Both?' }), await desk.start({ question: 'Kiel?' })];
  await updateItem(aws, {
    TableName: tables.runs,
    Key: { pk: `RUN#${subRun}`, sk: 'RUN' },
    UpdateExpression: 'SET parentRunId = :parent',
    ExpressionAttributeValues: { ':parent': parent },
  });
  expect(await admin('run', 'cancel', subRun)).toMatchObject({ status: 'failed' });
  const { QueueUrl } = await aws.sqs.send(new GetQueueUrlCommand({ QueueName: 'errand-runs' }));
  const { Messages = [] } = await aws.sqs.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
  );
  expect(Messages.map(({ Body = '' }) => JSON.parse(Body))).toEqual([
    { kind: 'run', isWake: true, agentId: parent },
  ]);
  desk.close();
});
