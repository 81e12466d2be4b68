import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '@errand/platform';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { heartbeatFile } from '../../functions/container/heartbeat.ts';
import { eventually } from '../support/eventually.ts';
import { png } from '../support/forbidden-images.ts';
import { type Cloud, type CloudFunction, startCloud } from '../support/lambda/cloud.ts';
import { type Container, startContainer } from '../support/lambda/container.ts';
import { publicSite, publicSiteAt } from '../support/lambda/public-site.ts';
import { isCheck, type Provider, startProvider } from '../support/model-server.ts';
import { simpleCatalogue } from '../support/service.ts';

let provider: Provider;
let cloud: Cloud;
let agents: CloudFunction;
let container: Container;

const start = (environment: Record<string, string> = {}) =>
  startContainer(cloud, 'worker-container', 'worker', { RUNS_AT_ONCE: '4', ...environment });

beforeAll(async () => {
  provider = await startProvider();
  cloud = await startCloud(simpleCatalogue(provider.baseUrl));
  agents = await cloud.start('agents');
});
afterAll(async () => {
  await cloud?.stop();
  await provider?.close();
});

beforeEach(async () => {
  await rm(heartbeatFile, { force: true });
  container = await start();
});
afterEach(() => container.kill());

async function create(question = 'How deep is the lake?'): Promise<string> {
  const { statusCode, text } = await agents.request('/v1/agents/runs', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ question }),
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

test('it has few images in memory at once, as the function does', async () => {
  await container.kill();
  const site = createServer((_, response) => response.end(png)).listen(0, '127.0.0.1');
  await once(site, 'listening');
  container = await start({
    ...publicSiteAt((site.address() as AddressInfo).port),
    RUNS_AT_ONCE: '8',
  });
  const answer = Promise.withResolvers<void>();
  let shown = 0;
  provider.script(async (request) => {
    if (request.model === 'upstream-eyes') {
      shown++;
      await answer.promise;
      return { text: 'A harbour.' };
    }
    const text = JSON.stringify(request.messages);
    if (!text.includes('Look') || text.includes('A harbour.')) return { text: 'Seen.' };
    const look = (name: number) => ({
      name: 'vision',
      args: { imageUrl: `${publicSite}/${name}`, question: 'What is it?' },
    });
    return { calls: [1, 2, 3, 4].map(look) };
  });
  const looking = [await create('Look!'), await create('Look!'), await create('Look!')];
  await eventually(() => shown).toBe(limits.waitingBodiesAtOnce);
  // By the end of another run, all others would have come.
  const other = await create();
  await eventually(() => statusOf(other)).toBe('succeeded');
  expect(shown).toBe(limits.waitingBodiesAtOnce);
  answer.resolve();
  for (const run of looking) await eventually(() => statusOf(run)).toBe('succeeded');
  expect(shown).toBe(12);
  site.close();
});

test('a container without work exits at SIGTERM at once', async () => {
  await beaten();
  expect(await container.terminate()).toBe(0);
});
