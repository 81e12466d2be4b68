import { keptNames, uploadMaterial } from '@errand/agent';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestBucket, type TestBucket } from '../../test/support/bucket.ts';
import { payloadPrefix } from './item-keys.ts';
import { copyMaterial, runMaterial } from './run-material.ts';

let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startTestBucket();
});
beforeEach(() => bucket.files.deletePrefix(''));
afterAll(() => bucket.close());

const signal = new AbortController().signal;
const page = 'f'.repeat(32);
const sources = [
  { material: uploadMaterial, vectors: 'an embedding model' },
  { material: page },
  { material: page },
  {},
];
const names = sources.flatMap(keptNames);

/** A run that has kept its sources, a material that none of them names, and a text of its own. */
async function keepAll(agentId: string): Promise<void> {
  const { keep } = runMaterial(bucket.files, agentId);
  for (const name of [...names, 'unnamed']) await keep(name, Buffer.from(`${name} of ${agentId}`));
  await bucket.files.put(`${payloadPrefix(agentId)}input.json`, '{}', 'application/json');
}

const readKept = async (agentId: string, name: string) => {
  const kept = await runMaterial(bucket.files, agentId).read(name, signal);
  return kept && Buffer.from(kept).toString();
};

const keysOf = async (agentId: string) =>
  (await bucket.keys()).filter((key) => key.startsWith(payloadPrefix(agentId)));

test('what a run has kept is copied by its names alone, vectors included, and outlives the run', async () => {
  await keepAll('earlier');
  expect(await copyMaterial(bucket.files, 'earlier', 'later', names, signal)).toEqual([]);
  await bucket.files.deletePrefix(payloadPrefix('earlier'));
  expect(await keysOf('later')).toHaveLength(3);
  for (const name of [uploadMaterial, `${uploadMaterial}-vectors`, page])
    expect(await readKept('later', name)).toBe(`${name} of earlier`);
});

test('a material that is renamed takes its vectors along, and replaces nothing of the other run', async () => {
  await keepAll('earlier');
  await runMaterial(bucket.files, 'later').keep(uploadMaterial, Buffer.from('its own'));
  const rename = (name: string) => (name === uploadMaterial ? 'earlier-upload' : name);
  expect(await copyMaterial(bucket.files, 'earlier', 'later', names, signal, rename)).toEqual([]);
  expect(await readKept('later', uploadMaterial)).toBe('its own');
  expect(await readKept('later', 'earlier-upload')).toBe(`${uploadMaterial} of earlier`);
  expect(await readKept('later', 'earlier-upload-vectors')).toBe(`${uploadMaterial}-vectors of earlier`);
  expect(await readKept('later', page)).toBe(`${page} of earlier`);
});

test('what is gone is told by its name, and the rest is copied', async () => {
  await keepAll('earlier');
  await bucket.files.delete(`${payloadPrefix('earlier')}material-${page}`);
  const gone = await copyMaterial(bucket.files, 'earlier', 'later', names, signal, (name) => `old-${name}`);
  expect(gone).toEqual([page]);
  expect(await keysOf('later')).toHaveLength(2);
});

test('what was copied before a copy failed goes with the prefix of the run, and nothing else does', async () => {
  for (const agentId of ['earlier', 'late']) await keepAll(agentId);
  const before = await bucket.keys();
  const files = {
    copy: async (from: string, to: string) => {
      if (from.endsWith(page)) throw new Error('the bucket is down');
      return bucket.files.copy(from, to);
    },
  };
  await expect(copyMaterial(files, 'earlier', 'later', names, signal)).rejects.toThrow('the bucket is down');
  expect(await keysOf('later')).toHaveLength(2);
  await bucket.files.deletePrefix(payloadPrefix('later'));
  expect(await bucket.keys()).toEqual(before);
});
