import { localTableNames, silentLog, systemClock, toSeconds } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import type { UploadDeps } from './deps.ts';
import { claimUpload, releaseUpload } from './store.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

const announced = {
  agentId: '5f0e1f7e-3d7c-4a3e-9f57-0f0d3c1c7c11',
  filename: 'a.pdf',
  bytes: 1,
  expiresAtSeconds: toSeconds(Date.now()) + 60,
};

test('a release that is carried out twice leaves the claim that another request made meanwhile', async () => {
  const deps = {
    dynamodb: dynamo.dynamodb,
    tables: localTableNames,
    clock: systemClock,
    log: silentLog,
    runReadableSeconds: 60,
  } as UploadDeps;
  const claim = (claimant: string) => claimUpload(deps, announced, { claimant, repetition: undefined });
  expect(await claim('first')).toBeUndefined();
  await releaseUpload(deps, announced.agentId, 'first');
  expect(await claim('second')).toBeUndefined();
  await releaseUpload(deps, announced.agentId, 'first');
  expect(await claim('third')).toMatchObject({ claimant: 'second' });
});
