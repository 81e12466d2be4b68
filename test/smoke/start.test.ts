import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { checks } from '@errand/smoke';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTable } from './support/command.ts';
import { npmStart, root, type Started, strangersEnv } from './support/npm-start.ts';

const execute = promisify(execFile);

let dataDir: string;
let service: Started;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'errand-start-'));
  service = await npmStart(dataDir);
});
afterAll(async () => {
  await service?.interrupt();
  await rm(dataDir, { recursive: true, force: true });
});

test('what npm start starts passes what npm run smoke asks, and ends with Ctrl-C', async () => {
  const { stdout } = await execute('npm', ['run', '-s', 'smoke'], { cwd: root, env: strangersEnv(dataDir) });
  const rows = readTable(stdout);
  expect(rows.filter(({ result }) => result !== 'passed')).toEqual([]);
  expect(rows.length).toBe(checks.length + 2);
  expect(service.said).toContainEqual(expect.stringMatching(/^API key: errand_/));
  expect(await service.interrupt()).toBe(0);
});
