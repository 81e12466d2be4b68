import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { functionShapes } from '../../infra/functions.ts';
import { type Cloud, type CloudFunction, startCloud } from '../support/lambda/cloud.ts';
import { publicSite, publicSiteAt } from '../support/lambda/public-site.ts';
import { inTurn, type Provider, startProvider } from '../support/model-server.ts';
import { parseEvents, type RunEvent, simpleCatalogue } from '../support/service.ts';

let provider: Provider;
let cloud: Cloud;
let agents: CloudFunction;

beforeAll(async () => {
  provider = await startProvider();
  cloud = await startCloud(simpleCatalogue(provider.baseUrl));
  agents = await cloud.start('agents');
});

afterAll(async () => {
  expect(agents?.refused()).toEqual([]);
  await cloud?.stop();
  await provider?.close();
});

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
});

/** A worker that finds `serve` at a public address, and runs of one turn of tool calls on it. */
async function withSite(
  serve: RequestListener,
  use: (
    run: (calls: { name: string; args: object }[]) => Promise<RunEvent[]>,
    worker: CloudFunction,
  ) => Promise<void>,
): Promise<void> {
  const site = createServer(serve).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const environment = publicSiteAt((site.address() as AddressInfo).port);
  const worker = await cloud.start('worker', { environment });
  const runStreams = await cloud.start('run-streams');
  const run = async (calls: { name: string; args: object }[]) => {
    provider.script(inTurn({ calls }, { text: 'Read.' }));
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
    return parseEvents(await (await runStreams.request(`/v1/agents/runs/${agentId}/stream`)).text());
  };
  try {
    await use(run, worker);
    expect([...worker.refused(), ...runStreams.refused()]).toEqual([]);
    expect((await stored()).filter((key) => key.startsWith('conversions/'))).toEqual([]);
  } finally {
    site.close();
  }
}

const resultsOf = (events: RunEvent[]): string[] =>
  events.flatMap(({ type, result }) => (type === 'tool_result' ? [String(result)] : []));

test('a document on the web is read for a run by the converter', async () => {
  const docx = await fixture('office.docx');
  await withSite(
    (_, response) => response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(docx),
    async (run) => {
      const events = await run([{ name: 'document_parse', args: { url: `${publicSite}/office.docx` } }]);
      expect(resultsOf(events)[0]).toMatch(/^\[1\] [^\n]*\nhttp:\/\/93\.184\.216\.34\/office\.docx\n/);
    },
  );
});

test('the largest documents and the largest page that a model wants at once fit into the worker', async () => {
  const document = Buffer.alloc(limits.documentBytes, 'PK\x03\x04 no archive');
  const page = Buffer.alloc(limits.pageBytes, 'word ');
  await withSite(
    ({ url }, response) => response.end(url?.startsWith('/page') ? page : document),
    async (run, worker) => {
      const events = await run([
        ...[1, 2, 3].map((n) => ({ name: 'document_parse', args: { url: `${publicSite}/${n}.docx` } })),
        { name: 'web_crawl', args: { url: `${publicSite}/page` } },
      ]);
      const results = resultsOf(events);
      const damaged = 'Error: The file is named .docx but its content is a ZIP archive.';
      expect(results.filter((result) => result === damaged)).toHaveLength(3);
      expect(results.some((result) => result.includes('word word'))).toBe(true);
      expect(peakMegabytes(worker.pid)).toBeLessThan(functionShapes.worker.memoryMegabytes - ownMegabytes);
    },
  );
});

/** What the machine around a function's process may need of the function's memory. */
const ownMegabytes = 64;

/** The most that a process has held of the machine's memory. */
const peakMegabytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
