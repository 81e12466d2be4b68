import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { startTestService } from '../support/service.ts';

let parent: string;
let dataDir: string;
let before: number;

beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'errand-at-rest-'));
  dataDir = path.join(parent, 'data');
  before = process.umask(0o000);
  return async () => {
    process.umask(before);
    await rm(parent, { recursive: true, force: true });
  };
});

const modeOf = async (name: string) => (await stat(path.join(dataDir, name))).mode & 0o777;

/** The names in the data folder that others may enter or read, and the folder's own as `.`. */
async function open(): Promise<string[]> {
  const names = ['.', ...(await readdir(dataDir))];
  const modes = await Promise.all(names.map((name) => modeOf(name)));
  return names.filter((_, i) => ((modes[i] ?? 0) & 0o077) !== 0);
}

async function runOnce(): Promise<void> {
  const service = await startTestService({ dataDir });
  await service.post('/v1/skills', { name: 'private', instructions: 'Of one account.' });
  const seen = await open();
  await service.stop();
  expect(seen).toEqual([]);
  expect(await open()).toEqual([]);
}

test('no other user of the machine can read what the service keeps', async () => {
  await runOnce();
  expect(await modeOf('.')).toBe(0o700);
  expect(await readdir(dataDir)).toContain('dynamodb.sqlite');
});

test('a data folder that every user could read is private after the next start', async () => {
  await runOnce();
  for (const name of await readdir(dataDir)) await chmod(path.join(dataDir, name), 0o755);
  await chmod(dataDir, 0o755);
  await runOnce();
  expect(await modeOf('.')).toBe(0o700);
});

test('a folder that holds other things too keeps its mode, and what the service keeps there is private', async () => {
  await mkdir(dataDir, 0o755);
  await mkdir(path.join(dataDir, 'photos'), 0o755);
  await writeFile(path.join(dataDir, 'letter.txt'), '', { mode: 0o644 });
  const service = await startTestService({ dataDir });
  const seen = await open();
  await service.stop();
  expect(seen.sort()).toEqual(['.', 'letter.txt', 'photos']);
  expect(await modeOf('.')).toBe(0o755);
});
