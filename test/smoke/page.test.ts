import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  checks,
  cost,
  createScene,
  leaving,
  longChecks,
  neededRequests,
  type StageDeps,
  stageChecks,
} from '@errand/smoke';
import { expect, test } from 'vitest';

const pagePath = path.resolve(import.meta.dirname, '../../docs/smoke.md');
const noTime = { silenceMilliseconds: 0, streamMilliseconds: 0, steps: 0, stepMilliseconds: 0 };
const times = { ...noTime, pieceMilliseconds: 0 };

test('the page says how many requests the check of the rate window asks for', async () => {
  expect(await readFile(pagePath, 'utf8')).toContain(`**Cost.** At most ${neededRequests} requests, `);
});

test('the page says of each check what it proves, and what to look at if it fails', async () => {
  const page = await readFile(pagePath, 'utf8');
  const [, section = ''] = page.split('## What each check proves\n');
  const [, , ...rows] = (section.split('\n\n')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const scene = createScene({ baseUrl: 'https://api.example.com', key: 'a key' });
  const known = [
    ...checks,
    cost,
    leaving(scene, undefined),
    ...longChecks('https://model.example.com', times),
    ...stageChecks({} as StageDeps),
  ];
  expect(rows.map(([name]) => name)).toEqual(known.map(({ name }) => name));
  expect(rows.filter((row) => row.length !== 3 || row.includes(''))).toEqual([]);
});
