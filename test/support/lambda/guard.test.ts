import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFiles, localBucket, localCredentials, localRegion } from '@errand/platform';
import { startFileStore } from '@errand/s3-server';
import { expect, onTestFinished, test } from 'vitest';
import type { Permissions } from '../../../infra/permissions.ts';
import { startGuard } from './guard.ts';

async function guardedFiles(files: Permissions['files']) {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-guard-'));
  const buckets = [{ name: localBucket }];
  const store = await startFileStore({ folder, host: '127.0.0.1', credentials: localCredentials, buckets });
  const guard = await startGuard(store.endpoint, { tables: {}, files }, 'http://127.0.0.1:1/none');
  onTestFinished(async () => {
    await guard.close();
    await store.close();
    await rm(folder, { recursive: true });
  });
  const settings = { region: localRegion, credentials: localCredentials, bucket: localBucket };
  return { guard, files: createFiles({ ...settings, endpoints: { s3: guard.endpoint } } as never) };
}

test('a copy needs leave to read its source and leave to write its target', async () => {
  const { files, guard } = await guardedFiles({
    'events/': ['GetObject', 'PutObject'],
    'saved/': ['PutObject'],
    'uploads/': ['GetObject'],
  });
  for (const key of ['events/a b', 'saved/a b']) await files.put(key, 'x', 'text/plain');
  expect(await files.copy('events/a b', 'saved/c')).toBe(true);
  await expect(files.copy('saved/a b', 'events/c')).rejects.toMatchObject({ name: 'AccessDenied' });
  await expect(files.copy('events/a b', 'uploads/c')).rejects.toMatchObject({ name: 'AccessDenied' });
  expect(guard.refused.map((need) => JSON.parse(need))).toEqual([
    { file: 'saved/a b', action: 'GetObject' },
    { file: 'uploads/c', action: 'PutObject' },
  ]);
});
