import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

const page = readFileSync(path.join(root, 'docs/billing.md'), 'utf8');
const text = '(\'[^\']+\'|"[^"]+")';

/** The words of each `row(route, when, charged, ...)`. */
const tested = globSync('test/billing/*.test.ts', { cwd: root }).flatMap((file) =>
  [
    ...readFileSync(path.join(root, file), 'utf8').matchAll(
      new RegExp(`^row\\(\\s*${text},\\s*${text},\\s*${text},`, 'gm'),
    ),
  ].map(([, ...words]) => words.map((word) => word.slice(1, -1))),
);

const told = (page.split('\n## What is charged\n')[1]?.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => /^\| (?!route)\w/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

test('every row of the table of charges is a test, and every such test a row', () => {
  const files = globSync('test/billing/*.test.ts', { cwd: root });
  const rows = files.flatMap((file) => readFileSync(path.join(root, file), 'utf8').match(/^row\(/gm) ?? []);
  expect(tested).toHaveLength(rows.length);
  expect(tested.length).toBeGreaterThan(50);
  expect(told.toSorted()).toEqual(tested.toSorted());
});
