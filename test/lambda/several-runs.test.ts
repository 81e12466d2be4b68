import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { limits } from '@errand/platform';
import type { SqsRecord } from '@errand/platform/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Cloud, type CloudFunction, startCloud } from '../support/lambda/cloud.ts';
import {
  type ChatRequest,
  isCheck,
  type Provider,
  type ScriptedAnswer,
  startProvider,
} from '../support/model-server.ts';
import { simpleCatalogue } from '../support/service.ts';

let provider: Provider;
let cloud: Cloud;
let agents: CloudFunction;
let worker: CloudFunction;

beforeAll(async () => {
  provider = await startProvider();
  cloud = await startCloud(simpleCatalogue(provider.baseUrl));
  [agents, worker] = [
    await cloud.start('agents', { environment: { RATE_LIMIT_REQUESTS: '1000000' } }),
    await cloud.start('worker', { environment: { RUNS_PER_INVOCATION: '3' } }),
  ];
});

afterAll(async () => {
  for (const each of [agents, worker]) expect(each?.refused()).toEqual([]);
  await cloud?.stop();
  await provider?.close();
});

async function create(question: string): Promise<string> {
  const { statusCode, text } = await agents.request('/v1/agents/runs', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ question }),
  });
  expect(statusCode).toBe(202);
  return (JSON.parse(await text()) as { agentId: string }).agentId;
}

async function read(agentId: string): Promise<Record<string, unknown>> {
  return JSON.parse(await (await agents.request(`/v1/agents/runs/${agentId}`)).text());
}

async function received(count: number): Promise<SqsRecord[]> {
  const records: SqsRecord[] = [];
  while (records.length < count) {
    const record = await cloud.receive();
    if (record) records.push(record);
  }
  return records;
}

/** An invocation with these messages. `failed` is what it reports back at its end. */
function work(records: SqsRecord[], milliseconds = 900_000) {
  const { chunks, failure } = worker.invoke({ Records: records }, { milliseconds });
  let hasEnded = false;
  const read = async () => {
    const pieces: Buffer[] = [];
    for await (const piece of chunks) pieces.push(piece);
    expect(await failure).toBeUndefined();
    hasEnded = true;
    const answer = JSON.parse(Buffer.concat(pieces).toString());
    return (answer.batchItemFailures as { itemIdentifier: string }[]).map(
      ({ itemIdentifier }) => itemIdentifier,
    );
  };
  return { failed: read(), hasEnded: () => hasEnded };
}

/** The messages that are in the queue, those that are hidden included. */
async function messagesLeft(): Promise<number> {
  const { Attributes } = await cloud.clients.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: cloud.queueUrl, AttributeNames: ['All'] }),
  );
  return (
    Number(Attributes?.ApproximateNumberOfMessages) +
    Number(Attributes?.ApproximateNumberOfMessagesNotVisible)
  );
}

/** Completions that wait until the test answers them, by the question of their run. */
function holdAnswers() {
  const held = new Map<string, (answer: ScriptedAnswer) => void>();
  let most = 0;
  provider.script((request: ChatRequest) => {
    const question = /which-\w+/.exec(JSON.stringify(request.messages))?.[0] ?? '';
    if (isCheck(request)) return { text: `Answer of ${question}.` };
    return new Promise((resolve) => {
      held.set(question, (answer) => {
        held.delete(question);
        resolve(answer);
      });
      most = Math.max(most, held.size);
    });
  });
  const answer = async (question: string, given: ScriptedAnswer = { text: `Answer of ${question}.` }) => {
    await eventually(() => held.has(question)).toBe(true);
    held.get(question)?.(given);
  };
  return { answer, waiting: () => [...held.keys()].sort(), most: () => most };
}

const statusOf = async (agentId: string) => (await read(agentId)).status;
const todo = { calls: [{ name: 'write_todos', args: { todos: [] } }] };

test('the runs of a batch are worked on side by side, and the message of each is gone when it ends', async () => {
  const { answer, waiting } = holdAnswers();
  const ids = [await create('which-a?'), await create('which-b?')];
  const { failed, hasEnded } = work(await received(2));
  await eventually(waiting).toEqual(['which-a', 'which-b']);
  await answer('which-a');
  await eventually(() => statusOf(ids[0]!)).toBe('succeeded');
  await eventually(messagesLeft).toBe(1);
  expect([await statusOf(ids[1]!), hasEnded()]).toEqual(['running', false]);
  await answer('which-b');
  expect(await failed).toEqual([]);
  expect(await read(ids[1]!)).toMatchObject({ status: 'succeeded', result: 'Answer of which-b.' });
  expect(await messagesLeft()).toBe(0);
});

test('an invocation takes further runs while it has one, up to its places, and ends with its last', async () => {
  const { answer, most, waiting } = holdAnswers();
  const ids = [await create('which-first?')];
  const { failed } = work(await received(1));
  await eventually(waiting).toEqual(['which-first']);
  for (const each of ['which-b', 'which-c', 'which-d', 'which-e']) ids.push(await create(`${each}?`));
  // Of three places, an account has two at most.
  for (const question of ['which-first', 'which-b', 'which-c', 'which-d', 'which-e']) await answer(question);
  expect(await failed).toEqual([]);
  expect(most()).toBe(2);
  expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => 'succeeded'));
  expect(await messagesLeft()).toBe(0);
});

test('a run that fails, one that is cancelled and a message that is none change nothing for the run beside them', async () => {
  const { answer } = holdAnswers();
  const [good, bad, cancelled] = [
    await create('which-good?'),
    await create('which-bad?'),
    await create('which-cancelled?'),
  ];
  const records = await received(3);
  const { failed } = work([...records, { ...records[0]!, messageId: 'none', body: 'not a message' }]);
  await answer('which-bad', { status: 400 });
  await answer('which-cancelled', todo);
  await agents.request(`/v1/agents/runs/${cancelled}/cancel`, { method: 'POST' });
  await answer('which-cancelled', todo);
  await eventually(() => Promise.all([bad, cancelled].map(statusOf))).toEqual(['failed', 'failed']);
  expect(await statusOf(good)).toBe('running');
  await answer('which-good');
  expect(await failed).toEqual(['none']);
  expect(await read(good)).toMatchObject({ status: 'succeeded', result: 'Answer of which-good.' });
});

test('an invocation that ends in some minutes takes no more, and its last run moves after its next commit', async () => {
  const { answer, waiting } = holdAnswers();
  const ids = [await create('which-short?'), await create('which-long?')];
  const { failed } = work(await received(2), limits.invocationTakeMilliseconds);
  await eventually(waiting).toEqual(['which-long', 'which-short']);
  const late = await create('which-late?');
  // With others beside it, a run goes on.
  await answer('which-long', todo);
  await eventually(waiting).toEqual(['which-long', 'which-short']);
  await answer('which-short');
  await eventually(() => statusOf(ids[0]!)).toBe('succeeded');
  await eventually(messagesLeft).toBe(2);
  await answer('which-long', todo);
  expect(await failed).toEqual([]);
  expect(await Promise.all([ids[1]!, late].map(statusOf))).toEqual(['running', 'queued']);
  const next = work(await received(2));
  await answer('which-late');
  await answer('which-long');
  expect(await next.failed).toEqual([]);
  expect(await read(ids[1]!)).toMatchObject({ status: 'succeeded', result: 'Answer of which-long.' });
  expect(await statusOf(late)).toBe('succeeded');
});
