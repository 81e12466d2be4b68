import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cloud, type CloudFunction, startCloud } from '../support/lambda/cloud.ts';
import { dueSchedule, makeDue, tickOnce } from '../support/lambda/due-schedule.ts';
import { type Provider, startProvider } from '../support/model-server.ts';
import { simpleCatalogue } from '../support/service.ts';

let provider: Provider;
let cloud: Cloud;
let agents: CloudFunction;
let schedules: CloudFunction;

beforeAll(async () => {
  provider = await startProvider();
  cloud = await startCloud(simpleCatalogue(provider.baseUrl));
  agents = await cloud.start('agents');
  schedules = await cloud.start('schedules');
});
afterAll(async () => {
  for (const each of [agents, schedules]) expect(each?.refused()).toEqual([]);
  await cloud?.stop();
  await provider?.close();
});

const read = async (path: string) => JSON.parse(await (await agents.request(path)).text());

test('the function starts the run of a schedule that is due, and sees its end, with its permissions alone', async () => {
  const id = await dueSchedule(cloud, agents, { question: 'x'.repeat(100_000), every: '1h' });
  await tickOnce(schedules);
  const [{ agentId }] = (await read(`/v1/schedules/${id}`)).outcomes;
  expect(await read(`/v1/agents/runs/${agentId}`)).toMatchObject({ scheduleId: id, status: 'queued' });
  expect((await agents.request(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' })).statusCode).toBe(
    202,
  );
  await makeDue(cloud, id, { instant: false });
  await tickOnce(schedules);
  expect((await read(`/v1/schedules/${id}`)).outcomes).toMatchObject([{ agentId, status: 'failed' }]);
  const late = schedules.log().filter(({ message }) => message === 'schedules looked after');
  expect(late).toMatchObject(
    [1, 1].map((seen) => ({ schedules: seen, lateSeconds: expect.any(Number), scope: 'stage' })),
  );
});

test('a deploy sees whether the function starts, and has nothing done', async () => {
  const id = await dueSchedule(cloud, agents, { question: 'What is new?', every: '1h' });
  const { chunks, failure } = schedules.invoke({ Records: [] }, { milliseconds: 90_000 });
  for await (const _ of chunks);
  expect(await failure).toBeUndefined();
  expect((await read(`/v1/schedules/${id}`)).outcomes).toEqual([]);
});
