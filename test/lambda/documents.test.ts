import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { functionShapes } from '../../infra/functions.ts';
import { type Cloud, type CloudFunction, startCloud } from '../support/lambda/cloud.ts';
import { publicSite, publicSiteAt } from '../support/lambda/public-site.ts';
import { inTurn, type Provider, startProvider } from '../support/provider.ts';
import { parseEvents, simpleCatalogue } from '../support/service.ts';

let provider: Provider;
let cloud: Cloud;
let agents: CloudFunction;

beforeAll(async () => {
  provider = await startProvider();
  cloud = await startCloud(simpleCatalogue(provider.baseUrl));
  agents = await cloud.start('agents');
}, 240_000);

afterAll(async () => {
  expect(agents?.refused()).toEqual([]);
  await cloud?.stop();
  await provider?.close();
}, 60_000);

const fixture = (name: string) =>
  readFile(new URL(`../../packages/documents/fixtures/${name}`, import.meta.url));

async function send(name: string, bytes: Uint8Array<ArrayBuffer>, to = agents) {
  const form = new FormData();
  form.set('question', 'What is it?');
  form.set('file', new Blob([bytes]), name);
  const encoded = new Response(form);
  const { statusCode, text } = await to.request('/v1/agents/runs', {
    method: 'POST',
    headers: { 'Content-Type': encoded.headers.get('Content-Type') ?? '' },
    body: Buffer.from(await encoded.arrayBuffer()),
  });
  return { statusCode, body: await text() };
}

async function stored(): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of cloud.files.list('')) keys.push(...page.map(({ key }) => key));
  return keys;
}

test('a document that cannot be read is refused with its reason, and leaves nothing in the bucket', async () => {
  const refused = await send('report.pdf', new Uint8Array(await fixture('encrypted.pdf')));
  expect(refused).toEqual({ statusCode: 502, body: expect.stringContaining('password') });
  expect(await stored()).toEqual([]);
});

test('while the converter has no concurrency, a document is refused for now, and leaves nothing', async () => {
  const crowded = await cloud.start('agents');
  crowded.throttleCalls();
  const refused = await send('report.docx', new Uint8Array(await fixture('office.docx')), crowded);
  expect(refused.statusCode).toBe(503);
  expect(await stored()).toEqual([]);
  expect(crowded.log().some(({ message }) => message === 'request failed')).toBe(true);
}, 30_000);

test('a document on the web is read for a run by the converter', async () => {
  const docx = await fixture('office.docx');
  const site = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(docx);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  try {
    const environment = publicSiteAt((site.address() as AddressInfo).port);
    const worker = await cloud.start('worker', { environment });
    const runStreams = await cloud.start('run-streams');
    provider.script(
      inTurn(
        { calls: [{ name: 'document_parse', args: { url: `${publicSite}/office.docx` } }] },
        { text: 'Read.' },
      ),
    );
    const created = await agents.request('/v1/agents/runs', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ question: 'What is it?' }),
    });
    const { agentId } = JSON.parse(await created.text());
    const { chunks, failure } = worker.invoke(
      { Records: [await cloud.receive()] },
      { milliseconds: functionShapes.worker.timeoutSeconds * 1000 },
    );
    for await (const _ of chunks);
    expect(await failure).toBeUndefined();
    const events = parseEvents(await (await runStreams.request(`/v1/agents/runs/${agentId}/stream`)).text());
    const result = events.find(({ type }) => type === 'tool_result')?.result;
    expect(String(result)).toMatch(/^\[1\] [^\n]*\nhttp:\/\/93\.184\.216\.34\/office\.docx\n/);
    expect([...worker.refused(), ...runStreams.refused()]).toEqual([]);
    expect((await stored()).filter((key) => key.startsWith('conversions/'))).toEqual([]);
  } finally {
    site.close();
  }
}, 30_000);
