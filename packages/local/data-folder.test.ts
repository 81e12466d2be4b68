import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { linkSecret } from './data-folder.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'errand-data-folder-'));
  return () => rm(folder, { recursive: true });
});

test('the secret of links is made once, for all who ask at the same time', async () => {
  const [first, second] = await Promise.all([linkSecret(folder), linkSecret(folder)]);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect([second, await linkSecret(folder)]).toEqual([first, first]);
});

test('an empty secret file, as a power cut may leave it, is replaced', async () => {
  const file = path.join(folder, 'link-secret');
  await writeFile(file, '');
  const made = await linkSecret(folder);
  expect(made).toMatch(/^[0-9a-f]{64}$/);
  expect(await readFile(file, 'utf8')).toBe(made);
});
