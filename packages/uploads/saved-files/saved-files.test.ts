import { limits } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBucket, type TestBucket } from '../../../test/support/bucket.ts';
import { deleteRunFiles } from '../upload.ts';
import { copyRunFiles, saveFile } from './saved-files.ts';

let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startTestBucket();
});
afterAll(() => bucket.close());

test('files that a run saved are copied by their names, with their types, and outlive the run', async () => {
  const { files } = bucket;
  const deps = {
    files,
    clock: () => 0,
    runReadableSeconds: limits.runReadableSeconds,
    linkSecret: 'a secret of this test',
  };
  const save = (agentId: string, name: string) =>
    saveFile(deps, { agentId, name, content: `${name} of ${agentId}`, afterBytes: 0 }, 'http://localhost');
  for (const name of ['a table +1%.csv', 'Übersicht.md', 'unnamed.md']) await save('earlier', name);
  const names = ['a table +1%.csv', 'Übersicht.md', 'gone.md'];
  const { signal } = new AbortController();
  expect(await copyRunFiles(deps, 'earlier', 'later', names, signal)).toEqual(['gone.md']);
  await deleteRunFiles(deps as unknown as Parameters<typeof deleteRunFiles>[0], 'earlier');
  expect(await bucket.keys()).toEqual(['saved/later/a table +1%.csv', 'saved/later/Übersicht.md']);
  expect(await files.getText('saved/later/Übersicht.md')).toBe('Übersicht.md of earlier');
  const original = await files.open('saved/later/a table +1%.csv');
  expect(original?.contentType).toBe('text/csv; charset=utf-8');
  await save('later', 'Übersicht.md');
  expect(await files.getText('saved/later/Übersicht.md')).toBe('Übersicht.md of later');
});
