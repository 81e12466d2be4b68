import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { findModel, parseCatalogue } from '@errand/models';
import { allowOneThread, type Files, limits, silentLog } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { png, pngDataUrl } from '../../../test/support/forbidden-images.ts';
import { type Provider, startProvider } from '../../../test/support/model-server.ts';
import { unlimitedCalls } from '../../../test/support/purse.ts';
import { makeReaders, type ReadersDeps } from './readers.ts';

let provider: Provider;
let deps: ReadersDeps;
let stored: Buffer;

const shown = {
  type: 'image_url',
  image_url: { url: pngDataUrl },
};

beforeAll(async () => {
  provider = await startProvider(() => ({ text: 'A harbour.' }));
  const catalogue = parseCatalogue(
    {
      models: [
        {
          id: 'eyes',
          kind: 'vision',
          upstream: { baseUrl: provider.baseUrl, model: 'eyes' },
          price: { inputPerMillionTokens: 1, outputPerMillionTokens: 1 },
        },
      ],
      roles: { vision: 'eyes' },
    },
    () => undefined,
  );
  const files: Partial<Files> = {
    getBytes: async (key) => (key === input.uploadKey ? new Uint8Array(stored) : undefined),
  };
  deps = {
    upstream: { clock: Date.now, log: silentLog },
    visionModel: findModel(catalogue, 'eyes')?.model,
    calls: unlimitedCalls(),
    speechModel: undefined,
    web: { allowedHosts: new Set() },
    files: files as Files,
  };
});
beforeEach(() => {
  provider.requests.length = 0;
});
afterAll(() => provider.close());

const link = 'https://bucket.example/uploads/a/image.png?signed=yesterday';
const input = {
  agent: {
    question: 'What is it?',
    attachment: {
      kind: 'image' as const,
      filename: 'image.png',
      url: link,
      description: '',
      cost: { model: 'eyes', inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, amountNanoEuro: 0 },
    },
  },
  origin: 'https://api.example',
  requestId: 'r',
  uploadKey: 'uploads/a/image.png',
};

const see = (url: string, from = deps) =>
  makeReaders(from, input).see(url, 'What?', new AbortController().signal);

test("the run's own upload is read from the bucket and shown as what its bytes are", async () => {
  stored = png;
  await see(link);
  expect(provider.requests[0]?.messages[0]?.content).toContainEqual(shown);
});

test('an upload that was replaced by something else is not shown', async () => {
  stored = Buffer.from('<html>');
  await expect(see(link)).rejects.toThrow('The uploaded file is no PNG, JPEG, WebP or GIF image.');
  expect(provider.requests).toEqual([]);
});

test('an image on the web is fetched and shown as what its bytes are, whatever its host says', async () => {
  let body = png;
  const site = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body),
  ).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  const near = { ...deps, web: { allowedHosts: new Set([host]) } };
  await see(`http://${host}/x`, near);
  expect(provider.requests[0]?.messages[0]?.content).toContainEqual(shown);
  body = Buffer.from('<html>');
  await expect(see(`http://${host}/x`, near)).rejects.toThrow(
    'The file at this URL is no PNG, JPEG, WebP or GIF image.',
  );
  expect(provider.requests).toHaveLength(1);
  site.close();
});

test('with memory for one thread, so many large images are in memory until they are described, and small ones beside them', async () => {
  const undo = allowOneThread();
  const answer = Promise.withResolvers<void>();
  provider.script(async () => {
    await answer.promise;
    return { text: 'A harbour.' };
  });
  const large = Buffer.concat([png, Buffer.alloc(limits.largeImageBytes)]);
  const site = createServer(({ url }, response) => response.end(url === '/large' ? large : png)).listen(
    0,
    '127.0.0.1',
  );
  await once(site, 'listening');
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  const near = { ...deps, web: { allowedHosts: new Set([host]) } };
  const all = Array.from({ length: limits.largeImagesAtOnce + 1 }, () => see(`http://${host}/large`, near));
  await expect.poll(() => provider.requests.length).toBe(limits.largeImagesAtOnce);
  all.push(see(`http://${host}/small`, near));
  await expect.poll(() => provider.requests.length).toBe(limits.largeImagesAtOnce + 1);
  expect(JSON.stringify(provider.requests.at(-1)?.messages[0]?.content)).toContain(pngDataUrl);
  answer.resolve();
  expect(await Promise.all(all)).toHaveLength(all.length);
  expect(provider.requests).toHaveLength(all.length);
  undo();
  provider.script(() => ({ text: 'A harbour.' }));
  site.close();
});

test('what is kept of a described image until it is charged does not hold the image', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  stored = Buffer.concat([png, Buffer.alloc(3_000_000)]);
  const calls = unlimitedCalls();
  const kept: unknown[] = [];
  const make: typeof calls.make = (asked, ask) => {
    kept.push(asked.known);
    return calls.make(asked, ask);
  };
  const heap = async (images: number) => {
    for (let i = 0; i < images; i++) await see(link, { ...deps, calls: { ...calls, make } });
    provider.requests.length = 0;
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await heap(2);
  const grown = (await heap(20)) - before;
  expect(kept).toHaveLength(22);
  expect(grown).toBeLessThan(10 * stored.length);
});

test('a call whose provider asks for a long pause fails without a retry, with the provider’s reason', async () => {
  const busy = { status: 429, headers: { 'Retry-After': '30' } };
  provider.script(() => busy);
  stored = png;
  await expect(see(link, { ...deps, retries: { longestWaitMilliseconds: 2_000 } })).rejects.toMatchObject({
    name: 'ToolError',
    cause: { kind: 'busy', status: 429, retryAfterSeconds: 30 },
  });
  expect(provider.requests).toHaveLength(1);
});
