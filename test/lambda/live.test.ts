import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { functionShapes } from '../../infra/functions.ts';
import { type Cloud, type CloudFunction, startCloud } from '../support/lambda/cloud.ts';
import { type Provider, startProvider } from '../support/model-server.ts';
import { parseEvents, simpleCatalogue } from '../support/service.ts';

const workerMilliseconds = functionShapes.worker.timeoutSeconds * 1000;

let provider: Provider;
let cloud: Cloud;
let agents: CloudFunction;
let runStreams: CloudFunction;
let worker: CloudFunction;
let site: CloudFunction;

beforeAll(async () => {
  provider = await startProvider(() => ({ text: 'It is a report.' }));
  cloud = await startCloud(simpleCatalogue(provider.baseUrl));
  agents = await cloud.start('agents', { live: true });
  runStreams = await cloud.start('run-streams', { live: true });
  worker = await cloud.start('worker', { live: true });
  site = await cloud.start('site', { live: true });
});

afterAll(async () => {
  for (const each of [agents, runStreams, worker, site]) expect(each?.refused()).toEqual([]);
  await cloud?.stop();
  await provider?.close();
});

test('live development runs a run on a document from its form to its last event, with the files beside the bundles', async () => {
  const form = new FormData();
  form.set('question', 'What is it?');
  const document = await readFile(new URL('../../packages/documents/fixtures/office.docx', import.meta.url));
  form.set('file', new Blob([document]), 'office.docx');
  const sent = new Request('http://form', { method: 'POST', body: form });
  const created = await agents.request('/v1/agents/runs', {
    method: 'POST',
    headers: { 'Content-Type': sent.headers.get('Content-Type') ?? '' },
    body: Buffer.from(await sent.arrayBuffer()),
  });
  expect(created.statusCode).toBe(202);
  const { agentId } = JSON.parse(await created.text()) as { agentId: string };
  const { chunks, failure } = worker.invoke(
    { Records: [await cloud.receive()] },
    { milliseconds: workerMilliseconds },
  );
  for await (const piece of chunks) expect(piece.toString()).toBe('{"batchItemFailures":[]}');
  expect(await failure).toBeUndefined();
  const stream = await runStreams.request(`/v1/agents/runs/${agentId}/stream`, {
    headers: { Accept: 'text/event-stream' },
  });
  expect(parseEvents(await stream.text()).at(-1)).toMatchObject({
    type: 'done',
    finalText: 'It is a report.',
  });
});

test('live development serves the description of the service', async () => {
  const { statusCode, text } = await site.request('/openapi.json', { key: null });
  expect(statusCode).toBe(200);
  expect(JSON.parse(await text())).toMatchObject({ openapi: expect.any(String) });
});
