import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const main = path.join(import.meta.dirname, 'main.ts');
const kept = path.resolve(import.meta.dirname, '../../node_modules/.cache/errand');

const files = async () => (existsSync(kept) ? (await readdir(kept, { recursive: true })).length : 0);

/** Loads the whole service, and is refused for its arguments. */
const start = () =>
  new Promise<string>((resolve) => {
    const env = { ...process.env, NODE_COMPILE_CACHE: undefined, NODE_V8_COVERAGE: undefined };
    execFile(process.execPath, [main, '--only', 'nothing'], { env }, (_, __, stderr) => resolve(stderr));
  });

test('a start compiles for the starts after it what it loads, which then compile nothing', async () => {
  expect(await start()).toContain('usage: npm start');
  const compiled = await files();
  expect(compiled).toBeGreaterThan(500);
  expect(await start()).toContain('usage: npm start');
  expect(await files()).toBe(compiled);
});
