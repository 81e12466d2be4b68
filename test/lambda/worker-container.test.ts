import { rm, stat } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { heartbeatFile } from '../../functions/container/heartbeat.ts';
import { eventually } from '../support/eventually.ts';
import { type Cloud, type CloudFunction, startCloud } from '../support/lambda/cloud.ts';
import { type Container, startContainer } from '../support/lambda/container.ts';
import { isCheck, type Provider, startProvider } from '../support/model-server.ts';
import { simpleCatalogue } from '../support/service.ts';

let provider: Provider;
let cloud: Cloud;
let agents: CloudFunction;
let container: Container;

const start = () => startContainer(cloud, 'worker-container', 'worker', { RUNS_AT_ONCE: '4' });

beforeAll(async () => {
  provider = await startProvider();
  cloud = await startCloud(simpleCatalogue(provider.baseUrl));
  agents = await cloud.start('agents');
}, 240_000);
afterAll(async () => {
  await cloud?.stop();
  await provider?.close();
});

beforeEach(async () => {
  await rm(heartbeatFile, { force: true });
  container = await start();
});
afterEach(() => container.kill());

async function create(): Promise<string> {
  const { statusCode, text } = await agents.request('/v1/agents/runs', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ question: 'How deep is the lake?' }),
  });
  expect(statusCode).toBe(202);
  return (JSON.parse(await text()) as { agentId: string }).agentId;
}

const read = async (agentId: string): Promise<Record<string, unknown>> =>
  JSON.parse(await (await agents.request(`/v1/agents/runs/${agentId}`)).text());
/** The process has told AWS that it lives. */
const beaten = () =>
  eventually(() =>
    stat(heartbeatFile).then(
      () => true,
      () => false,
    ),
  ).toBe(true);
const statusOf = async (agentId: string) => (await read(agentId)).status;

test('runs are worked on beside each other, with the permissions of the worker, and AWS is told that it lives', async () => {
  const all = Promise.withResolvers<void>();
  let waiting = 0;
  provider.script(async () => {
    if (++waiting === 3) all.resolve();
    await all.promise;
    return { text: 'Forty metres.' };
  });
  const runs = await Promise.all([create(), create(), create()]);
  for (const run of runs) await eventually(() => statusOf(run)).toBe('succeeded');
  await eventually(() => container.logged('run worked on').length).toBe(3);
  for (const line of container.logged('run worked on')) expect(line).toHaveProperty('_aws');
  await beaten();
});

test('after SIGTERM a run is handed on after its next commit, and another container finishes it without repeating a step', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  provider.script(async (_, number) => {
    if (number > 1) return { text: 'Done by another.' };
    asked.resolve();
    await answer.promise;
    return { calls: [{ name: 'write_todos', args: { todos: [] } }] };
  });
  const run = await create();
  await asked.promise;
  const ended = container.terminate();
  answer.resolve();
  expect(await ended).toBe(0);
  expect(await statusOf(run)).toBe('running');
  container = await start();
  await eventually(() => statusOf(run)).toBe('succeeded');
  expect(await read(run)).toMatchObject({ result: 'Done by another.' });
  expect(provider.requests.filter((request) => !isCheck(request))).toHaveLength(2);
});

test('a container without work exits at SIGTERM at once', async () => {
  await beaten();
  expect(await container.terminate()).toBe(0);
});
