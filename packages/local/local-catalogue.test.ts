import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadCatalogue } from '@errand/models';
import { readConfig, silentLog } from '@errand/platform';
import { expect, onTestFinished, test } from 'vitest';
import { localCatalogue, writeStandIns } from './local-catalogue.ts';

test('the stand-ins of a service are in a file that operators may name as a catalogue', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-stand-ins-'));
  const models = await localCatalogue(readConfig('local', {}), silentLog);
  onTestFinished(async () => {
    await models.stop();
    await rm(dataDir, { recursive: true });
  });
  const file = (await writeStandIns(dataDir, models)) ?? '';
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const read = await loadCatalogue({ modelCatalogue: file, model: {}, secret: () => undefined });
  expect(read).toEqual({ ...models.catalogue, mcpServers: [] });
});

test('a service with a catalogue of its own writes no catalogue file', async () => {
  const models = { catalogue: { models: [], roles: {} }, standIns: new Set<string>(), fromFile: true };
  expect(await writeStandIns('/nowhere', { ...models, stop: async () => {} })).toBeUndefined();
});
