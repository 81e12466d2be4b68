import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { purseTable } from '../money/purse-sizes.ts';
import { figuresOf } from '../page.ts';
import { containerAssumptions, measured } from './container.ts';
import { invocationAssumptions } from './invocations/tables.ts';
import { serialTable } from './keys.ts';
import { assumptions } from './tables.ts';

const read = (name: string) => readFile(path.join(import.meta.dirname, '../../../docs', name), 'utf8');
const [page = '', chat = '', operate = ''] = await Promise.all(
  ['cost.md', '../test/bench/chat/README.md', 'operate.md'].map(read),
);
const command = 'the page is older than what it tells: npm run bench -- cost --write';

test("docs/cost.md tells what the functions' present memory costs", () => {
  expect(figuresOf(page, 'usage').startsWith(assumptions()), command).toBe(true);
});

test('docs/cost.md tells what the assumed times allow', () => {
  expect(figuresOf(page, 'one purse'), command).toBe(serialTable());
});

test('docs/cost.md tells how a purse grows, and how many calls its size allows', () => {
  expect(figuresOf(page, 'purses'), command).toBe(purseTable());
});

test.each([
  'usage',
  'before and after',
  'runs in one invocation',
  'keys',
  'kept runs',
  'a chain',
  'unknown keys',
  'the probe',
  'the container',
  'containers',
])('docs/cost.md has the figures of %s', (name) => {
  expect(figuresOf(page, name), command).toMatch(/^\| .+\n\| ---/m);
});

test("docs/cost.md tells what the worker's places and times allow", () => {
  expect(figuresOf(page, 'runs in one invocation').startsWith(invocationAssumptions()), command).toBe(true);
});

test('docs/cost.md tells how many streams a container is assumed to hold', () => {
  const figures = figuresOf(page, 'containers');
  expect(figures.startsWith(containerAssumptions()), command).toBe(true);
});

test('a stream is assumed to need the most that the page of the benchmark chat measured', () => {
  const tables = (chat.split(/^## /m)[0] ?? '').split('\n\n').map(toRows);
  const ofErrand = (rows: string[][], head: string): number[] =>
    rows
      .filter(([through]) => through === '**errand**')
      .map((cells) => Number.parseFloat(cells[rows[0]?.indexOf(head) ?? -1] ?? ''));
  const paced = tables[tables.findIndex(([line]) => line?.[0] === '200 chunks, one a millisecond:') + 1];
  expect(Math.max(...ofErrand(paced ?? [], 'CPU'))).toBe(measured.cpuMilliseconds);
  const memory = tables
    .filter(([head]) => head?.includes('memory'))
    .flatMap((rows) => ofErrand(rows, 'memory'));
  expect(Math.max(...memory)).toBe(measured.processMegabytes);
});

test('docs/operate.md and docs/cost.md have the same price of the container for large forms', () => {
  const [, together] = /^\| together \| \$([\d.]+) \|$/m.exec(figuresOf(page, 'the container')) ?? [];
  const [, told] = /for about \$(\d+) a month/.exec(operate) ?? [];
  expect(Number(told)).toBe(Math.round(Number(together)));
});

/** The cells of each line. A line that is no row of a table is its own cell. */
const toRows = (text: string): string[][] =>
  text.split('\n').map((line) =>
    line.startsWith('|')
      ? line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim())
      : [line],
  );
