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
