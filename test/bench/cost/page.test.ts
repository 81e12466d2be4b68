import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runsOfContainer, streamsWanted } from '../../../infra/container-shapes.ts';
import { purseTable } from '../money/purse-sizes.ts';
import { figuresOf } from '../page.ts';
import { kinds } from './in-containers.ts';
import { containerAssumptions, leastTable, workersTable } from './in-containers-tables.ts';
import { invocationAssumptions } from './invocations/tables.ts';
import { serialTable } from './keys.ts';
import { assumptions } from './tables.ts';

const read = (name: string) => readFile(path.join(import.meta.dirname, '../../../docs', name), 'utf8');
const [page = '', measured = '', operate = ''] = await Promise.all(
  ['cost.md', '../test/bench/containers/README.md', 'operate.md'].map(read),
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
  'write units',
  'before and after',
  'runs in one invocation',
  'keys',
  'kept runs',
  'a chain',
  'schedules',
  'sub-runs',
  'unknown keys',
  'the probe',
  'the container',
  'containers',
  'chat in containers',
  'workers in containers',
])('docs/cost.md has the figures of %s', (name) => {
  expect(figuresOf(page, name), command).toMatch(/^\| .+\n\| ---/m);
});

test("docs/cost.md tells what the worker's places and times allow", () => {
  expect(figuresOf(page, 'runs in one invocation').startsWith(invocationAssumptions()), command).toBe(true);
});

test("docs/cost.md tells the containers' present sizes, and what the least of them cost", () => {
  expect(figuresOf(page, 'containers'), command).toBe([containerAssumptions(), leastTable()].join('\n\n'));
});

test('docs/cost.md tells what the work on runs costs in containers', () => {
  expect(figuresOf(page, 'workers in containers'), command).toBe(workersTable());
});

test.each([
  ['streams in a container', 'streams at once', streamsWanted, kinds.chat],
  ['runs', 'at once', runsOfContainer, kinds.workers],
] as const)(
  'the %s that a container is planned for were measured in its memory and its CPU',
  (name, head, planned, { container }) => {
    const [heads = [], , ...rows] = toRows(figuresOf(measured, name));
    const cell = (row: string[], of: string) => Number.parseFloat(row[heads.indexOf(of)] ?? '');
    const held = rows.filter((row) => cell(row, head) >= planned);
    expect(held).not.toEqual([]);
    for (const row of held) {
      expect(cell(row, 'failed')).toBe(0);
      expect(cell(row, 'memory')).toBeLessThan(0.9 * 1_024 * container.gigabytes);
    }
    const least = Math.min(...held.map((row) => cell(row, head)));
    const [first = []] = held.filter((row) => cell(row, head) === least);
    expect(cell(first, `of ${container.cpus} vCPU`)).toBeLessThanOrEqual(50);
  },
);

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
