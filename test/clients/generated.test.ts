import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { describedApp } from '../support/openapi-document.ts';
import type { TestService } from '../support/service.ts';
import { useSteadyService } from './generated/steady-provider.ts';
import { openWorkshop, type Workshop } from './generated/workshop.ts';

const programs = path.join(import.meta.dirname, 'generated/programs');

let workshop: Workshop;
let service: TestService;

useSteadyService((started) => ({ service } = started));
beforeAll(async () => {
  const { document } = await describedApp();
  workshop = await openWorkshop();
  const file = path.join(workshop.folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  await Promise.all([
    workshop.generate('write-openapi-types.ts', file, 'openapi-fetch/schema.ts'),
    workshop.generate('write-hey-api-client.ts', file, 'hey-api'),
  ]);
  await workshop.take('with-openapi-fetch.ts', 'openapi-fetch');
  await workshop.take('with-hey-api.ts', 'hey-api');
  await workshop.take('pitfalls.ts', 'openapi-fetch', 'pitfalls.ts');
  await workshop.check('openai-request.ts', {
    'openapi-fetch':
      "import type { components } from './schema.ts';\nexport type Request = components['schemas']['OpenAiDecisionRequest'];",
    'hey-api': "export type { OpenAiDecisionRequest as Request } from './index.ts';",
  });
  return () => workshop.close();
});

describe('clients that are generated from the document', () => {
  test('type chat, streams, forms, runs, and decisions in the words of OpenAI’s own types, so that programs compile', async () => {
    expect(await workshop.compile()).toBe('');
  });

  test.each(['openapi-fetch', 'hey-api'])('work against the service: %s', async (client) => {
    const { baseUrl, apiKey } = service;
    const printed = await workshop.start(client, { BASE_URL: baseUrl, API_KEY: apiKey });
    expect(JSON.parse(printed)).toEqual({
      chat: 'Hello stop 25 Wms',
      streamedChat: 'Hello 5 ugCO2e',
      form: expect.stringMatching(/^Hello succeeded 0\.\d+$/),
      run: expect.stringMatching(/^Hello succeeded 0\.\d+$/),
      decision: '0.75 technical 0.75',
    });
  });
});

test('the programs take every type from their client, and none is cast, loosened or left unchecked', async () => {
  const texts = await Promise.all(
    (await readdir(programs))
      .filter((name) => name.startsWith('with-'))
      .map((name) => readFile(path.join(programs, name), 'utf8')),
  );
  expect(texts).toHaveLength(2);
  for (const text of texts)
    expect(text).not.toMatch(/\bas\b|\bany\b|\bunknown\b|\bsatisfies\b|@ts-|!\.|!;|!\)/);
});
