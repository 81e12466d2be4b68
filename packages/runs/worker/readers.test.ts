import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findModel, parseCatalogue } from '@errand/models';
import { type Files, silentLog } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Provider, startProvider } from '../../../test/support/provider.ts';
import { makeReaders, type ReadersDeps } from './readers.ts';

let provider: Provider;
let deps: ReadersDeps;

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
  const files = { presignGet: async (key: string) => `https://bucket.example/${key}?signed=now` };
  deps = {
    upstream: { clock: Date.now, log: silentLog },
    visionModel: findModel(catalogue, 'eyes')?.model,
    speechModel: undefined,
    web: { allowedHosts: new Set() },
    files: files as Partial<Files> as Files,
    inlineImages: false,
  };
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

test.each([
  [
    "the run's own upload is shown by a link that is signed anew",
    link,
    'https://bucket.example/uploads/a/image.png?signed=now',
  ],
  ['any other image is shown by its own link', 'https://site.example/x.png', 'https://site.example/x.png'],
])('%s', async (_, asked, shown) => {
  provider.requests.length = 0;
  await makeReaders(deps, input).see(asked, 'What?', new AbortController().signal);
  expect(provider.requests[0]?.messages[0]?.content).toContainEqual({
    type: 'image_url',
    image_url: { url: shown },
  });
});

test('an image that goes as bytes goes as what its bytes are, whatever its host says', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
    'base64',
  );
  let body = png;
  const site = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body),
  ).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  const inline = { ...deps, inlineImages: true, web: { allowedHosts: new Set([host]) } };
  const see = () => makeReaders(inline, input).see(`http://${host}/x`, 'What?', new AbortController().signal);
  provider.requests.length = 0;
  await see();
  expect(provider.requests[0]?.messages[0]?.content).toContainEqual({
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${png.toString('base64')}` },
  });
  body = Buffer.from('<html>');
  await expect(see()).rejects.toThrow('The file at this URL is no PNG, JPEG, WebP or GIF image.');
  expect(provider.requests).toHaveLength(1);
  site.close();
});
