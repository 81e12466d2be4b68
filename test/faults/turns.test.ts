import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { Charge } from '@errand/money';
import { deferCharge } from '@errand/runs';
import { claimRun, giveUp } from '@errand/runs/testing';
import { runsDeps } from '@errand/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heldClock } from '../support/accounts.ts';
import { openDesk } from './support/desk.ts';
import { type Ground, startGround } from './support/ground.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.close());

test('every message of new, forgotten and held runs and of charges has its account as message group', async () => {
  const clock = heldClock();
  const desk = await openDesk(ground, clock);
  const deps = { ...runsDeps(desk.parts), leaseMilliseconds: 60_000 };
  const agentId = await desk.start({ question: 'Whose turn is it?' });
  clock.advance(60_000);
  await desk.read(agentId);
  await claimRun(deps, agentId, { alone: true, isSuspect: false });
  await giveUp(deps, JSON.stringify({ kind: 'run', agentId }));
  await deferCharge(deps, { payer: { accountId: desk.accountId } } as Charge);
  const command = new ReceiveMessageCommand({
    QueueUrl: desk.queues.queueUrl,
    MaxNumberOfMessages: 10,
    MessageSystemAttributeNames: ['MessageGroupId'],
  });
  const { Messages = [] } = await desk.parts.aws.sqs.send(command);
  expect(Messages.map(({ Body = '' }) => JSON.parse(Body).kind)).toEqual(['run', 'run', 'run', 'charge']);
  expect(new Set(Messages.map(({ Attributes }) => Attributes?.MessageGroupId))).toEqual(
    new Set([desk.accountId]),
  );
  desk.close();
});
