import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { partOf } from '../page.ts';
import { serialTable } from './keys.ts';
import { assumptions } from './tables.ts';

const page = await readFile(path.join(import.meta.dirname, '../../../docs/cost.md'), 'utf8');
const command = 'the page is older than what it tells: npm run bench -- cost --write';

test("docs/cost.md tells what the functions' present memory costs", () => {
  expect(partOf(page, 'usage').figures.startsWith(assumptions()), command).toBe(true);
});

test('docs/cost.md tells what the assumed times allow', () => {
  expect(partOf(page, 'one purse').figures, command).toBe(serialTable());
});

test.each(['usage', 'keys', 'the container', 'containers'])('docs/cost.md has the figures of %s', (name) => {
  expect(partOf(page, name).figures, command).toMatch(/^\| .+\n\| ---/m);
});
