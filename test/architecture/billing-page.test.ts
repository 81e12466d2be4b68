import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { callerLimits, limits } from '@errand/platform';
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

test('the numbers on the page are those of the limits', () => {
  const words = page.replaceAll(/\s+/g, ' ');
  for (const phrase of [
    `${limits.reservationSeconds} s, renewed every ${limits.reservationRenewalMilliseconds / 1000} s`,
    `ends ${limits.reservationSeconds} s after its last renewal`,
    `(${limits.clockSkewMilliseconds / 1000} s later, because clocks differ)`,
    `catalogue (${callerLimits.reservedOutputTokens.toLocaleString('en')};`,
    `${callerLimits.reservedReasoningTokens.toLocaleString('en')} with hidden reasoning)`,
    `the usage comes within ${limits.usageAfterLeavingMilliseconds / 1000} s`,
    `${callerLimits.outputTokensPerCompletion.toLocaleString('en')} tokens as output`,
    `for ${callerLimits.runReadableSeconds / 3600} hours at most`,
    `not answered within ${callerLimits.answerMilliseconds / 1000} s`,
    `silent for ${callerLimits.upstreamSilenceSeconds} s`,
    `began after ${callerLimits.streamFirstByteMilliseconds / 1000} s`,
  ])
    expect(words).toContain(phrase);
});
