import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '@errand/platform';
import type { SqsRecord } from '@errand/platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { functionShapes } from '../../infra/functions.ts';
import { eventually } from '../support/eventually.ts';
import { type Cloud, type CloudFunction, startCloud } from '../support/lambda/cloud.ts';
import { publicSite, publicSiteAt } from '../support/lambda/public-site.ts';
import { inTurn, type Provider, startProvider } from '../support/model-server.ts';
import { parseEvents, simpleCatalogue } from '../support/service.ts';

const workerMilliseconds = functionShapes.worker.timeoutSeconds * 1000;

let provider: Provider;
let cloud: Cloud;
let agents: CloudFunction;
let runStreams: CloudFunction;
let worker: CloudFunction;
let responses: CloudFunction;

beforeAll(async () => {
  provider = await startProvider();
  cloud = await startCloud(simpleCatalogue(provider.baseUrl));
  agents = await cloud.start('agents');
  runStreams = await cloud.start('run-streams');
  worker = await cloud.start('worker');
  responses = await cloud.start('responses');
});

afterAll(async () => {
  for (const each of [agents, runStreams, worker, responses]) expect(each?.refused()).toEqual([]);
  await cloud?.stop();
  await provider?.close();
});

async function create(body: object = { question: 'How deep is the lake?' }): Promise<string> {
  const { statusCode, text } = await agents.request('/v1/agents/runs', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(statusCode).toBe(202);
  return (JSON.parse(await text()) as { agentId: string }).agentId;
}

async function read(agentId: string): Promise<Record<string, unknown>> {
  return JSON.parse(await (await agents.request(`/v1/agents/runs/${agentId}`)).text());
}

/** What the worker reports back of a batch. */
async function work(
  records: (SqsRecord | undefined)[],
  options: { milliseconds?: number } = {},
  by: CloudFunction = worker,
): Promise<string[]> {
  const { chunks, failure } = by.invoke(
    { Records: records },
    { milliseconds: workerMilliseconds, ...options },
  );
  const pieces: Buffer[] = [];
  for await (const piece of chunks) pieces.push(piece);
  expect(await failure).toBeUndefined();
  const { batchItemFailures } = JSON.parse(Buffer.concat(pieces).toString()) as {
    batchItemFailures: { itemIdentifier: string }[];
  };
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

const stream = (agentId: string, after?: number, milliseconds?: number) =>
  runStreams.request(`/v1/agents/runs/${agentId}/stream`, {
    headers: { Accept: 'text/event-stream', ...(after !== undefined && { 'Last-Event-ID': String(after) }) },
    milliseconds,
  });

describe('agents and the worker', () => {
  test('a run is created, worked on, read and replayed', async () => {
    provider.script(() => ({ text: 'Forty metres.' }));
    const agentId = await create();
    expect(await work([await cloud.receive()])).toEqual([]);
    expect(await read(agentId)).toMatchObject({ status: 'succeeded', result: 'Forty metres.' });
    const replay = await stream(agentId);
    expect([replay.statusCode, replay.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    const events = parseEvents(await replay.text());
    expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
    expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Forty metres.' });
    const seen = await stream(agentId, events.length);
    expect([seen.statusCode, (await seen.bytes()).length]).toEqual([204, 0]);
  });

  test('a response is created with a file, worked on, streamed, read and deleted by its function', async () => {
    provider.script(() => ({ text: 'Forty metres.' }));
    const file_data = Buffer.from('The lake is forty metres deep.').toString('base64');
    const content = [
      { type: 'input_text', text: 'How deep?' },
      { type: 'input_file', filename: 'lake.txt', file_data },
    ];
    const created = await responses.request('/v1/responses', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ model: 'agent:default', stream: true, input: [{ role: 'user', content }] }),
    });
    expect(created.statusCode).toBe(200);
    expect(await work([await cloud.receive()])).toEqual([]);
    const told = /"id":"([^"]+)"[^\n]*\n\n$/.exec(await created.text())?.[1];
    const path = `/v1/responses/${told}`;
    const response = JSON.parse(await (await responses.request(path)).text());
    expect(response).toMatchObject({ id: told, status: 'completed' });
    expect(await read(told ?? '')).toMatchObject({ result: 'Forty metres.' });
    expect((await responses.request(`${path}/input_items`)).statusCode).toBe(200);
    expect((await responses.request(`${path}/cancel`, { method: 'POST' })).statusCode).toBe(200);
    expect((await responses.request(path, { method: 'DELETE' })).statusCode).toBe(200);
  });

  test('events reach a reader while the run goes on, each as it is committed', async () => {
    const answer = Promise.withResolvers<void>();
    provider.script(async () => {
      await answer.promise;
      return { text: 'At last.' };
    });
    const agentId = await create();
    const { pieces } = await stream(agentId);
    const working = work([await cloud.receive()]);
    let text = '';
    while (!text.includes('step_start')) text += (await pieces.next()).value;
    expect(text).not.toContain('At last.');
    answer.resolve();
    for await (const piece of pieces) text += piece;
    expect(parseEvents(text).at(-1)).toMatchObject({ type: 'done', finalText: 'At last.' });
    expect(await working).toEqual([]);
  });

  test('a stream ends cleanly before the time of its invocation is up, and goes on by id', async () => {
    const answer = Promise.withResolvers<void>();
    provider.script(async () => {
      await answer.promise;
      return { text: 'Later.' };
    });
    const agentId = await create();
    const working = work([await cloud.receive()]);
    const first = await stream(agentId, undefined, limits.invocationEndMilliseconds + 1_000);
    const before = parseEvents(await first.text());
    expect(await first.failure).toBeUndefined();
    expect(before.some(({ type }) => type === 'done')).toBe(false);
    answer.resolve();
    expect(await working).toEqual([]);
    const after = parseEvents(await (await stream(agentId, before.length)).text());
    expect(after[0]?.id).toBe(before.length + 1);
    expect(after.at(-1)).toMatchObject({ type: 'done', finalText: 'Later.' });
  });

  test('a run that outlasts its invocation is handed on after a commit, and finished by the next invocation', async () => {
    const tenthsOfASecond = 100;
    const invocation = limits.invocationHandOverMilliseconds + 10 * tenthsOfASecond;
    const handOver = Promise.withResolvers<void>();
    provider.script(async () => {
      // The first step lasts until its invocation should take up no other.
      setTimeout(handOver.resolve, 11 * tenthsOfASecond);
      await handOver.promise;
      return { calls: [{ name: 'write_todos', args: { todos: [] } }] };
    });
    const agentId = await create();
    expect(await work([await cloud.receive()], { milliseconds: invocation })).toEqual([]);
    expect(await read(agentId)).toMatchObject({ status: 'running' });
    provider.script(() => ({ text: 'Done by another.' }));
    expect(await work([await cloud.receive()])).toEqual([]);
    expect(await read(agentId)).toMatchObject({ status: 'succeeded', result: 'Done by another.' });
    const events = parseEvents(await (await stream(agentId)).text());
    expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
  });

  test('a message that comes with too little time left goes back to the queue at once', async () => {
    provider.script(() => ({ text: 'In time.' }));
    const agentId = await create();
    const record = await cloud.receive();
    expect(await work([record], { milliseconds: 60_000 })).toEqual([record?.messageId]);
    expect(await read(agentId)).toMatchObject({ status: 'queued' });
    expect(await work([await cloud.receive()])).toEqual([]);
    expect(await read(agentId)).toMatchObject({ status: 'succeeded' });
  });

  test('a run whose provider fails stays in the queue for the pause, and is finished by the next invocation', async () => {
    provider.script(() => ({ status: 500 }));
    const agentId = await create();
    const record = await cloud.receive();
    expect(await work([record])).toEqual([record?.messageId]);
    expect(await read(agentId)).toMatchObject({ status: 'running' });
    expect(await cloud.receive()).toBeUndefined();
    provider.script(() => ({ text: 'Back again.' }));
    let again: SqsRecord | undefined;
    await eventually(async () => {
      again = await cloud.receive();
      return again?.messageId;
    }).toBe(record?.messageId);
    expect(await work([again])).toEqual([]);
    expect(await read(agentId)).toMatchObject({ status: 'succeeded', result: 'Back again.' });
  });

  test('only the failed record of a batch is reported', async () => {
    provider.script(() => ({ text: 'Fine.' }));
    const agentId = await create();
    const good = await cloud.receive();
    const bad = { ...good!, messageId: 'the bad one', body: 'not a message' };
    expect(await work([bad, good])).toEqual(['the bad one']);
    expect(await read(agentId)).toMatchObject({ status: 'succeeded' });
  });
});

describe('pages', () => {
  test('a web page is read by the thread beside the bundle', async () => {
    const site = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end('<title>Lakes</title><h1>Loch Ness</h1><p>It is <b>230</b> metres deep.</p>');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    try {
      const environment = publicSiteAt((site.address() as AddressInfo).port);
      const reader = await cloud.start('worker', { environment });
      provider.script(
        inTurn(
          { calls: [{ name: 'web_crawl', args: { url: `${publicSite}/lakes` } }] },
          { text: 'Read the page.' },
        ),
      );
      const agentId = await create();
      expect(await work([await cloud.receive()], {}, reader)).toEqual([]);
      const events = parseEvents(await (await stream(agentId)).text());
      expect(events.find(({ type }) => type === 'tool_result')?.result).toBe(
        `[1] Lakes\n${publicSite}/lakes\n\n## Loch Ness\n\nIt is **230** metres deep.`,
      );
      expect(reader.refused()).toEqual([]);
    } finally {
      site.close();
    }
  });
});

describe('files', () => {
  test('a document in a form is converted in the request', async () => {
    provider.script((request) => ({
      text: JSON.stringify(request.messages).includes('Loch Ness') ? 'Read it.' : 'Saw none.',
    }));
    const form = new FormData();
    form.set('question', 'Which lake is it?');
    form.set('file', new Blob(['lake,metres\nLoch Ness,230\n']), 'lakes.csv');
    const encoded = new Response(form);
    const { statusCode, text } = await agents.request('/v1/agents/runs', {
      method: 'POST',
      headers: { 'Content-Type': encoded.headers.get('Content-Type') ?? '' },
      body: Buffer.from(await encoded.arrayBuffer()),
    });
    const answer = await text();
    expect([statusCode, answer]).toEqual([202, expect.stringContaining('queued')]);
    expect(await work([await cloud.receive()])).toEqual([]);
    expect(await read(JSON.parse(answer).agentId)).toMatchObject({ result: 'Read it.' });
  });

  test('a saved file is a link that answers 302 to the bucket, and is gone with its run', async () => {
    provider.script(
      inTurn(
        {
          calls: [
            { name: 'save_file', args: { filename: 'depths.md', content: '# Depths' } },
            { name: 'save_data', args: { name: 'lake', value: 'Loch Ness' } },
          ],
        },
        { calls: [{ name: 'read_data', args: {} }] },
        { text: 'Saved.' },
      ),
    );
    const agentId = await create();
    expect(await work([await cloud.receive()])).toEqual([]);
    const events = await (await stream(agentId)).text();
    const [link = ''] = events.match(/https:\/\/api\.example\.com\/v1\/files\/[^\s"\\)]+/) ?? [];
    const path = link.replace('https://api.example.com', '');
    const found = await agents.request(path, { key: null });
    expect(found.statusCode).toBe(302);
    await found.bytes();
    const file = await fetch(found.headers.location ?? '');
    expect([file.status, await file.text()]).toEqual([200, '# Depths']);
    const altered = await agents.request(path.replace(/expires=\d/, 'expires=9'), { key: null });
    expect(altered.statusCode).toBe(403);
    await altered.bytes();

    const values = await agents.request('/v1/values');
    expect(JSON.parse(await values.text()).values).toMatchObject([{ name: 'lake' }]);
    const value = await agents.request('/v1/values/lake', { method: 'DELETE' });
    expect([value.statusCode, (await value.bytes()).length]).toEqual([204, 0]);

    const deleted = await agents.request(`/v1/agents/runs/${agentId}`, { method: 'DELETE' });
    expect([deleted.statusCode, (await deleted.bytes()).length]).toEqual([204, 0]);
    expect((await agents.request(path, { key: null })).statusCode).toBe(404);
    const gone = await agents.request(`/v1/agents/runs/${agentId}`);
    expect([gone.statusCode, await gone.text()]).toEqual([404, '{"error":"Not found"}']);
  });

  test('a large upload goes straight to the bucket, and a run takes it by its id', async () => {
    provider.script(() => ({ text: 'Read the large one.' }));
    const bytes = Buffer.from(`lake,metres\n${'Loch Ness,230\n'.repeat(50_000)}`);
    const asked = await agents.request('/v1/uploads', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ filename: 'lakes.csv', size: bytes.length }),
    });
    const ticket = JSON.parse(await asked.text());
    expect([asked.statusCode, ticket]).toEqual([
      201,
      expect.objectContaining({ uploadId: expect.any(String) }),
    ]);
    const put = await fetch(ticket.url, { method: ticket.method, headers: ticket.headers, body: bytes });
    expect(put.status).toBe(200);
    const agentId = await create({ question: 'Which lake?', uploadId: ticket.uploadId });
    expect(await work([await cloud.receive()])).toEqual([]);
    expect(await read(agentId)).toMatchObject({ result: 'Read the large one.' });
  });
});

test('consumers of queues start on an event without messages, as a deploy sends it, and do nothing', async () => {
  for (const name of ['worker', 'webhooks', 'dead-letters'] as const) {
    const started = await cloud.start(name);
    expect(await work([], {}, started), name).toEqual([]);
    expect(started.sent(), name).toEqual([]);
  }
});

describe('failures', () => {
  test('a message that the queue gave up on ends its run', async () => {
    const deadLetters = await cloud.start('dead-letters');
    const agentId = await create();
    const record = await cloud.receive();
    const { chunks } = deadLetters.invoke({ Records: [record] });
    const pieces: Buffer[] = [];
    for await (const piece of chunks) pieces.push(piece);
    expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual({ batchItemFailures: [] });
    expect(await read(agentId)).toMatchObject({ status: 'failed' });
    expect(deadLetters.refused()).toEqual([]);
  });

  test('a stream that breaks off fails its invocation, so that a reader does not take it for the end', async () => {
    const broken = await cloud.start('run-streams');
    const agentId = await create();
    const { statusCode, pieces, failure } = await broken.request(`/v1/agents/runs/${agentId}/stream`);
    expect(statusCode).toBe(200);
    expect(String((await pieces.next()).value)).toContain('retry:');
    broken.forbidAll();
    for await (const piece of pieces) expect(String(piece)).not.toContain('done');
    expect(await failure).toMatchObject({ errorType: 'AccessDeniedException' });
    expect(broken.log().at(-1)).toMatchObject({ level: 'error', message: 'response broke off' });
  });
});
