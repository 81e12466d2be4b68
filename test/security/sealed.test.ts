import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { awsSettings, localQueues } from '@errand/local/testing';
import { parseCatalogue } from '@errand/models';
import {
  createLog,
  createSealer,
  localTableNames,
  putItem,
  readConfig,
  scanPages,
  silentLog,
  systemClock,
} from '@errand/platform';
import { createServiceDeps, createWholeApp } from '@errand/service';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { oneTool, type StrangeServer, startStrangeServer } from '../remote-tools/support/strange-server.ts';
import { inTurn, type Provider, startProvider } from '../support/model-server.ts';
import { simpleCatalogue, startTestService, type TestService } from '../support/service.ts';
import { endpointsOf } from '../uploads/support.ts';
import { type Receiver, startReceiver } from '../webhooks/support/receiver.ts';

const token = 'tok-at-rest-0123456789abcdef';
const lines: string[] = [];
let strange: StrangeServer;
let receiver: Receiver;
let provider: Provider;
let service: TestService;
let dataDir: string;

const startService = () =>
  startTestService({
    dataDir,
    catalogue: simpleCatalogue(provider.baseUrl),
    env: { FETCH_ALLOWED_HOSTS: `${strange.host},${receiver.host}`, RUN_LEASE_SECONDS: '2' },
    log: createLog((line) => lines.push(line)),
  });

beforeAll(async () => {
  [strange, receiver, provider] = await Promise.all([startStrangeServer(), startReceiver(), startProvider()]);
});
beforeEach(async () => {
  lines.length = 0;
  strange.seen.length = 0;
  strange.answers['tools/list'] = () => ({ tools: [oneTool('say')] });
  strange.answers['tools/call'] = () => ({ content: [{ type: 'text', text: 'Hello.' }] });
  dataDir = await mkdtemp(path.join(tmpdir(), 'errand-sealed-'));
  service = await startService();
  return async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
});
afterAll(async () => {
  await Promise.all([strange.stop(), receiver.close(), provider.close()]);
});

const mcp = () => [{ label: 'odd', url: strange.url, authorization: token }];

/** The files of the data folder whose bytes hold the text, however the folder is nested. */
async function filesWith(text: string): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const held = await Promise.all(
    files.map(async (file) => (await readFile(file).catch(() => Buffer.alloc(0))).includes(text)),
  );
  return files.filter((_, i) => held[i]).map((file) => path.relative(dataDir, file));
}

/** The API as another process of the data folder has it, and what it queues. */
async function openApi(): Promise<{ app: ReturnType<typeof createWholeApp>; queued: string[] }> {
  const { clients } = service;
  const config = readConfig('local', { DATA_DIR: dataDir, FETCH_ALLOWED_HOSTS: strange.host });
  const parts = createServiceDeps({
    config: {
      ...config,
      linkSecret: await readFile(path.join(dataDir, 'link-secret'), 'utf8'),
      storeSecrets: [await readFile(path.join(dataDir, 'store-secret'), 'utf8')],
      aws: awsSettings(await endpointsOf(service), await localQueues(clients.sqs)),
    },
    catalogue: parseCatalogue(simpleCatalogue(provider.baseUrl), () => undefined),
    clock: systemClock,
    log: silentLog,
  });
  const queued: string[] = [];
  parts.aws.sqs.middlewareStack.add(
    (next) => (args) => {
      queued.push(JSON.stringify(args.input));
      return next(args);
    },
    { step: 'initialize', name: 'note' },
  );
  return { app: createWholeApp(parts), queued };
}

describe('the bytes of the data folder', () => {
  test('have what a question says, so that a search through them can find something', async () => {
    provider.script(() => ({ text: 'Done.' }));
    await service.follow(await service.start({ question: `Remember ${token}.` }));
    expect(await filesWith(token)).not.toEqual([]);
  });

  test("do not have a run's authorization: not while it works, not after it, and not after a clean stop", async () => {
    let during: string[] | undefined;
    provider.script(async (_, number) => {
      if (number === 1) return { calls: [{ name: 'odd__say', args: { text: 'hello' } }] };
      during = await filesWith(token);
      return { text: 'Done.' };
    });
    const agentId = await service.start({ question: 'Say hello.', mcp: mcp() });
    expect((await service.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
    expect(strange.seen.map(({ headers }) => headers.authorization)).toContain(`Bearer ${token}`);
    expect(during).toEqual([]);
    expect(await filesWith(token)).toEqual([]);
    await service.stop();
    expect(await filesWith(token)).toEqual([]);
    service = await startService();
    expect(await filesWith(token)).toEqual([]);
    expect(lines.filter((line) => line.includes(token))).toEqual([]);
  });

  test('are what a run of another process is worked on by, whose messages do not have its authorization', async () => {
    const { app, queued } = await openApi();
    provider.script(inTurn({ calls: [{ name: 'odd__say', args: {} }] }, { text: 'Done.' }));
    const created = await app.request('/v1/agents/runs', {
      method: 'POST',
      body: JSON.stringify({ question: 'Say hello.', mcp: mcp() }),
      headers: { Authorization: `Bearer ${service.apiKey}`, 'Content-Type': 'application/json' },
    });
    const { agentId } = (await created.json()) as { agentId: string };
    expect((await service.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
    expect(strange.seen.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
    expect(queued.filter((message) => message.includes(agentId))).toHaveLength(1);
    expect(queued.filter((message) => message.includes(token))).toEqual([]);
  });

  test("do not have a webhook's secrets, by which its deliveries are signed", async () => {
    const made = await service.post('/v1/webhooks', {
      url: `${receiver.url}/hook`,
      events: ['run.succeeded'],
    });
    const { id, secret } = (await made.json()) as { id: string; secret: string };
    const rotated = await service.post(`/v1/webhooks/${id}/rotate`, {});
    const { secret: newer } = (await rotated.json()) as { secret: string };
    expect([secret, newer]).toEqual([expect.stringMatching(/^whsec_/), expect.stringMatching(/^whsec_/)]);
    provider.script(() => ({ text: 'Done.' }));
    await service.follow(await service.start({ question: 'Hello?' }));
    await receiver.has(1);
    for (const each of [secret, newer]) {
      expect(await filesWith(each)).toEqual([]);
      expect(await filesWith(each.slice('whsec_'.length))).toEqual([]);
    }
  });
});

/** A run that waits for its model. Returns its id. */
async function waitingRun(): Promise<string> {
  const before = provider.requests.length;
  const agentId = await service.start({ question: 'Say hello.', mcp: mcp() });
  await expect.poll(() => provider.requests.length).toBe(before + 1);
  return agentId;
}

type Item = Record<string, unknown> & { pk: string; sk: string };

test('a run goes on in the next process with its authorization, also as an earlier release stored it, and fails with a clear error where that was moved or its key is lost', async () => {
  provider.script(() => 'hang');
  const ids = { sealed: '', clear: '', moved: '', lost: '' };
  for (const name of Object.keys(ids) as (keyof typeof ids)[]) ids[name] = await waitingRun();
  await rewrite(ids.clear, ({ sealed: _, ...item }) => ({ ...item, authorizations: { odd: token } }));
  const { sealed } = await authorizationsOf(ids.sealed);
  await rewrite(ids.moved, (item) => ({ ...item, sealed }));
  const other = createSealer(['another secret of more than thirty-two characters']);
  const place = `run-authorizations/${ids.lost}`;
  await rewrite(ids.lost, (item) => ({ ...item, sealed: other.seal(JSON.stringify({ odd: token }), place) }));
  await service.stop();

  strange.seen.length = 0;
  provider.script(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'Done.' }
      : { calls: [{ name: 'odd__say', args: { text: 'hello' } }] },
  );
  service = await startService();
  for (const id of [ids.sealed, ids.clear])
    expect((await service.follow(id)).at(-1)).toMatchObject({ type: 'done' });
  const message = 'The authorizations of its servers cannot be read any more. Create the run again.';
  for (const id of [ids.moved, ids.lost]) {
    expect((await service.follow(id)).at(-1)).toMatchObject({ type: 'error', message });
    expect(await service.read(id)).toMatchObject({ status: 'failed', error: message });
  }
  expect(strange.seen.map(({ method }) => method)).toContain('tools/call');
  expect(new Set(strange.seen.map(({ headers }) => headers.authorization))).toEqual(
    new Set([`Bearer ${token}`]),
  );
  expect(lines.filter((line) => line.includes('authorizations unreadable'))).toHaveLength(2);
});

test('a data folder whose key is lost gets another one, and new runs use it', async () => {
  await service.stop();
  await rm(path.join(dataDir, 'store-secret'));
  service = await startService();
  provider.script(inTurn({ calls: [{ name: 'odd__say', args: {} }] }, { text: 'Done.' }));
  const agentId = await service.start({ question: 'Say hello.', mcp: mcp() });
  expect((await service.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
  expect(strange.seen.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
});

/** The item of a run's authorizations. */
async function authorizationsOf(agentId: string): Promise<Item> {
  const pages = scanPages<Item>(service.clients, { TableName: localTableNames.runs });
  for await (const page of pages)
    for (const item of page) if (item.sk === 'AUTHORIZATIONS' && item.pk.endsWith(agentId)) return item;
  throw new Error('the run has no authorizations');
}

const rewrite = async (agentId: string, change: (item: Item) => object): Promise<void> =>
  putItem(service.clients, {
    TableName: localTableNames.runs,
    Item: change(await authorizationsOf(agentId)) as Item,
  });
