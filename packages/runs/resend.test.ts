import { newUuid, putItem } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import type { RunsDeps } from './deps.ts';
import { itemKeys } from './item-keys.ts';
import { runStatuses } from './lifecycle.ts';
import { resendUnfinished } from './resend.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

const put = (item: Record<string, unknown>) => putItem(dynamo, { TableName: dynamo.tables.runs, Item: item });

async function putRun(status: string): Promise<string> {
  const agentId = newUuid();
  await put({ ...itemKeys.run(agentId), agentId, status, payer: { accountId: 'account' } });
  return agentId;
}

test('the runs that are not finished are queued again, in requests whose number does not grow with those that are', async () => {
  const unfinished = await Promise.all(['queued', 'running', 'queued'].map(putRun));
  await put({ pk: 'DELIVERIES#endpoint', sk: 'delivery', status: 'queued' });
  const resend = async () => {
    const sent: string[] = [];
    const sqs = {
      send: async ({ input }: { input: { MessageBody: string } }) => void sent.push(input.MessageBody),
    };
    const before = dynamo.requests();
    expect(await resendUnfinished({ ...dynamo, sqs, queueUrl: 'queue' } as unknown as RunsDeps)).toBe(3);
    return { requests: dynamo.requests() - before, ids: sent.map((body) => JSON.parse(body).agentId) };
  };
  const first = await resend();
  expect(first.ids.sort()).toEqual(unfinished.sort());
  const over = runStatuses.filter((status) => !['queued', 'running'].includes(status));
  await Promise.all(
    Array.from({ length: 100 }, () => over)
      .flat()
      .map(putRun),
  );
  expect((await resend()).requests).toBe(first.requests);
});
