import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { callerLimits } from '@errand/platform';
import { expect, test } from 'vitest';
import { known, limitsPage, rewriteConstants, rewriteNumbers } from './limit-numbers.ts';
import { readSources, root } from './sources.ts';

const command = 'the page differs from the limits: UPDATE_DOCS=1 npm test -- test/architecture';

function expectWritten(page: string, text: string): void {
  const file = path.join(root, page);
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8'), command).toBe(text);
}

test('docs/limits.md is made of the limits that a caller can meet, each with its words', () => {
  const page = limitsPage();
  for (const name of [
    ...Object.keys(callerLimits),
    ...Object.keys(known).filter((name) => name.startsWith('edge')),
  ])
    expect(page).toMatch(new RegExp(`^\\| \\S.* \\| [\\d.,]+( \\S+)? \\| <a id="${name}">`, 'm'));
  expectWritten('docs/limits.md', page);
});

const pages = ['README.md', 'packages/client/README.md', ...globSync('docs/*.md', { cwd: root })];

test.each(pages)('each number of %s that links to a limit is that limit', (page) => {
  expectWritten(page, rewriteNumbers(readFileSync(path.join(root, page), 'utf8')));
});

test('each constant that names a limit has its number', () => {
  const named = readSources().filter(({ text }) => / \/\/ limits\.\w+$/m.test(text));
  expect(named.length).toBeGreaterThan(2);
  for (const { file, text } of named) expectWritten(file, rewriteConstants(text));
});

// Smaller numbers stand for too many other things.
test('docs/api.md links each number over a thousand that is a limit of callers', () => {
  const page = readFileSync(path.join(root, 'docs/api.md'), 'utf8').replaceAll(
    /\[[^\]]*\]\(limits\.md#\w+\)/g,
    '',
  );
  const numbers = [...page.matchAll(/(?<![\d.,$])\d{1,3}(,\d{3})+(?![\d,])/g)].map(([number]) => number);
  const ofLimits = new Set(Object.values(callerLimits).map((limit) => limit.toLocaleString('en')));
  expect(numbers.filter((number) => ofLimits.has(number))).toEqual([]);
});
