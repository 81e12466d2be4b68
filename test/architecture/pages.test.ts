import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { limits } from '@errand/platform';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The first cells of the rows of a page's tables. */
const firstCells = (page: string): string[] =>
  [...page.matchAll(/^\| (.+?) \|/gm)].map(([, cell = '']) => cell);

test('docs/operate.md says what every alarm means, and knows no other', () => {
  const alarms = [...read('infra/alarms.ts').matchAll(/\b(\w+): \{\n\s+description:/g)].map(
    ([, name = '']) => name,
  );
  const [, section = ''] = read('docs/operate.md').split('\n## Alarms\n');
  const told = firstCells(section.split('\n## ')[0] ?? '').flatMap(
    (cell) => /^`(\w+)`/.exec(cell)?.[1] ?? [],
  );
  expect(alarms.length).toBeGreaterThan(5);
  expect(told.toSorted()).toEqual(alarms.toSorted());
});

test('AGENTS.md has every room', () => {
  const told = read('AGENTS.md');
  const rooms = globSync('packages/*', { cwd: root }).map((found) => found.split(path.sep).join('/'));
  expect(rooms.length).toBeGreaterThan(15);
  expect(rooms.filter((room) => !told.includes(`| \`${room}\` |`))).toEqual([]);
});

test('every variable of the environment is in the README, or is set by the stack', () => {
  const [, schema = ''] = /const environment = v\.object\(\{\n([\s\S]*?)\n\}\);/.exec(
    read('packages/platform/config.ts'),
  ) ?? [''];
  const names = [...schema.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name = '']) => name);
  const told = read('README.md');
  const set = globSync('infra/*.ts', { cwd: root }).map(read).join();
  expect(names.length).toBeGreaterThan(25);
  expect(
    names.filter((name) => !told.includes(`\`${name}\``) && !new RegExp(`\\b${name}\\b`).test(set)),
  ).toEqual([]);
});

test('docs/security.md and docs/operate.md have the numbers of the limits that they name', () => {
  const { streamsPerRun, openUploads, toolCallsPerCompletion, fetchedHostsPerRun } = limits;
  const fetched = `${limits.fetchedBytesPerRun / 1_000_000} MB and ${fetchedHostsPerRun} hosts fetched by a run`;
  for (const phrase of [
    `${toolCallsPerCompletion} calls for each completion, ${fetched}`,
    `${streamsPerRun} streams of a run, ${openUploads} open uploads of an account`,
    `a whole value of ${limits.fencedValueCharacters} characters or more`,
    `nor ${limits.fencedAttachmentCharacters} consecutive characters`,
    `stops working within ${limits.keyCacheMilliseconds / 1000} s`,
  ])
    expect(read('docs/security.md').replaceAll(/\s+/g, ' ')).toContain(phrase);
  expect(read('docs/operate.md').replaceAll(/\s+/g, ' ')).toContain(`a run has at most ${streamsPerRun}.`);
});
