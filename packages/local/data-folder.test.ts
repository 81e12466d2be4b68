import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { linkSecret, storeSecrets, writePrivate } from './data-folder.ts';

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

test('the secret by which the store is encrypted is made once, readable by its owner alone, and is another than that of links', async () => {
  const made = await Promise.all([storeSecrets(folder), storeSecrets(folder), storeSecrets(folder)]);
  expect(made[0]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(made).toEqual([made[0], made[0], made[0]]);
  expect(made[0]).not.toContain(await linkSecret(folder));
  expect((await stat(path.join(folder, 'store-secret'))).mode & 0o777).toBe(0o600);
});

test('processes that start at the same time on an empty folder share one secret', async () => {
  const module = new URL('data-folder.ts', import.meta.url).href;
  const program = `process.stdout.write((await (await import('${module}')).storeSecrets('${folder}')).join())`;
  const said = await Promise.all(
    Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]),
    ),
  );
  const [made] = await storeSecrets(folder);
  expect(said.map(({ stdout }) => stdout)).toEqual([made, made, made, made]);
});

test('further lines of the file are earlier secrets, and a short one stops the start', async () => {
  const [older, newer] = ['older '.repeat(8).trim(), 'newer '.repeat(8).trim()];
  const file = path.join(folder, 'store-secret');
  await writeFile(file, `${newer}\n${older}\n`);
  expect(await storeSecrets(folder)).toEqual([newer, older]);
  await writeFile(file, `${newer}\nshort\n`);
  await expect(storeSecrets(folder)).rejects.toThrow('a line of fewer than 32 characters');
});

test('a file that is written several times at once is whole, and leaves nothing beside it', async () => {
  const file = path.join(folder, 'charge.json');
  const texts = Array.from({ length: 20 }, (_, i) => JSON.stringify({ i, padding: 'x'.repeat(100_000 * i) }));
  await Promise.all(texts.map((text) => writePrivate(file, text)));
  expect(texts).toContain(await readFile(file, 'utf8'));
  expect(await readdir(folder)).toEqual(['charge.json']);
});
