import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import { functionShapes } from '../../../infra/functions.ts';
import type { FunctionName } from '../../../infra/permissions.ts';
import { figuresOf } from '../page.ts';

const command = 'the page is older than what it tells: npm run bench -- memory --write';
const page = await readFile(path.join(import.meta.dirname, 'README.md'), 'utf8');

/** The cells of each table among the figures, heads included. */
const tables = figuresOf(page, 'memory')
  .split('\n\n')
  .filter((part) => part.startsWith('|'))
  .map((part) =>
    part.split('\n').map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
  );

const [choicesHead = [], , ...choices] = tables.find(([head]) => head?.includes('least')) ?? [];
const [costsHead = [], , ...costs] = tables.find(([head]) => head?.includes('waits')) ?? [];

test("the worker's memory holds all places of an invocation, and a quarter more", () => {
  const [head, , ...rows] = figuresOf(page, 'places').split('\n');
  expect(head, command).toContain(`| ${limits.runsPerInvocation} runs beside each other`);
  expect(rows).toHaveLength(3);
  for (const row of rows) {
    const peak = Number(/ (\d+) MB \|$/.exec(row)?.[1]);
    expect(1.25 * peak, row).toBeLessThanOrEqual(functionShapes.worker.memoryMegabytes);
  }
});

test('README.md tells of each function that somebody waits for', () => {
  const others: FunctionName[] = ['dead-letters', 'schedules'];
  const names = Object.keys(functionShapes).filter((name) => !others.includes(name as FunctionName));
  expect(choices.map(([name]) => name).sort(), command).toEqual(names.sort());
});

describe.each(choices.map((cells) => [cells[0] as FunctionName, cells] as const))(
  'the row of the function %s',
  (name, cells) => {
    const cell = (head: string) => cells[choicesHead.indexOf(head)];
    const { memoryMegabytes, moreBecause } = functionShapes[name];

    test('has its present memory', () => {
      expect(cell('now'), command).toBe(`${memoryMegabytes} MB`);
    });

    test('has the reason of memory that is more than the least, and no other', () => {
      expect(cell('why more'), command).toBe(moreBecause ?? '');
      const least = Number.parseInt(cell('least') ?? '', 10);
      expect(memoryMegabytes).toBeGreaterThanOrEqual(least);
      expect(moreBecause !== undefined, 'moreBecause of infra/functions.ts').toBe(memoryMegabytes > least);
    });

    test('has what its present memory costs', () => {
      const column = costsHead.indexOf(`${memoryMegabytes} MB`);
      const now = costs.filter(([of]) => of === name).map((row) => row[column]);
      expect(cell('Lambda for 1,000 now'), command).toBe(now.join(', '));
    });
  },
);
