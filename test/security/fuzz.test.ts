import { expect, test } from 'vitest';
import { sendUndescribed } from '../support/document/hold-answers.ts';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';
import { fuzzService } from './support/fuzz-service.ts';
import { makeMaterial, readOpenApi } from './support/make-material.ts';

sendUndescribed();

let service: TestService;
useServiceAlone((started) => ({ service } = started));

test('3,000 random requests over every route meet no unexpected failure, and the service is well afterwards', async () => {
  const { baseUrl } = service;
  const accounts = await Promise.all([service.newAccount('1000'), service.newAccount('1000')]);
  const keys = accounts.map(({ key }) => key);
  const { failures, requests } = await fuzzService({
    baseUrl,
    openApi: await readOpenApi(baseUrl),
    newMaterial: () => makeMaterial({ baseUrl, keys }),
    requests: 3_000,
    atOnce: 16,
    seed: Math.floor(Math.random() * 2 ** 31),
  });
  expect(requests).toBe(3_000);
  const unexpected = [...failures].filter(([kind]) => !/^50[234] /.test(kind));
  expect(unexpected.map(([kind, { first }]) => [kind, JSON.stringify(first)])).toEqual([]);
  expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
});
