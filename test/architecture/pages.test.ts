import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { searchProviders, type TableId, tableDefinitions } from '@errand/platform';
import { expect, test } from 'vitest';
import { type Permissions, permissions } from '../../infra/permissions.ts';
import { root } from './sources.ts';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The first cells of the rows of a page's tables. */
const firstCells = (page: string): string[] =>
  [...page.matchAll(/^\| (.+?) \|/gm)].map(([, cell = '']) => cell);

/** As GitHub names the headings of a page, and what it has in `<a id>`. */
const anchorsOf = (page: string): string[] => [
  ...[...page.matchAll(/<a id="(\w+)">/g)].map(([, id = '']) => id),
  ...[...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  ),
];

const withoutCode = (page: string): string => page.replaceAll(/^```[\s\S]*?^```/gm, '');

test('every link of a page to another page, file or heading leads somewhere', () => {
  const pages = [
    'AGENTS.md',
    'README.md',
    'CHANGELOG.md',
    ...globSync(['docs/**/*.md', 'test/bench/*/README.md'], { cwd: root }),
  ];
  const links = pages.flatMap((page) =>
    [...withoutCode(read(page)).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(
      ([, file = '', anchor]) => ({ page, to: file ? path.join(path.dirname(page), file) : page, anchor }),
    ),
  );
  expect(links.length).toBeGreaterThan(100);
  const broken = links.filter(
    ({ to, anchor }) =>
      !existsSync(path.join(root, to)) || (anchor !== undefined && !anchorsOf(read(to)).includes(anchor)),
  );
  expect(broken).toEqual([]);
});

test('docs/operate.md explains every alarm, and names none that does not exist', () => {
  const sources = ['infra/stage-alarms.ts', 'infra/edge-alarms.ts'].map(read).join('');
  const alarms = [...sources.matchAll(/\b(\w+): \{\n\s+description:/g)].map(([, name = '']) => name);
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

test('AGENTS.md names only files that are there', () => {
  const told = read('AGENTS.md');
  const named = [...told.matchAll(/`([\w@.-]+\/[\w./-]+)`/g)].map(([, file = '']) => file);
  const isThere = (file: string) =>
    ['', 'packages'].some((folder) => existsSync(path.join(root, folder, file)));
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter((file) => !isThere(file))).toEqual([]);
});

test('every variable of the environment is in docs/configuration.md, or is set by the stack', () => {
  const [, schema = ''] = /const environment = v\.object\(\{\n([\s\S]*?)\n\}\);/.exec(
    read('packages/platform/environment.ts'),
  ) ?? [''];
  const names = [...schema.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name = '']) => name);
  const told = read('docs/configuration.md');
  const set = globSync('infra/*.ts', { cwd: root }).map(read).join();
  expect(names.length).toBeGreaterThan(25);
  expect(
    names.filter((name) => !told.includes(`\`${name}\``) && !new RegExp(`\\b${name}\\b`).test(set)),
  ).toEqual([]);
});

test('every search provider is told beside its variable, and in docs/operate.md if it needs a key', () => {
  const pages = globSync('docs/*.md', { cwd: root }).map(read).join('\n');
  const rows = pages.split('\n').filter((line) => line.startsWith('| `SEARCH_PROVIDER`'));
  expect(rows.length).toBeGreaterThan(0);
  for (const [provider, need] of Object.entries(searchProviders)) {
    for (const row of rows) expect(row).toContain(`\`${provider}\``);
    if (need === 'SEARCH_API_KEY') expect(read('docs/operate.md')).toContain(`\`${provider}\``);
  }
});

const list = (parts: readonly string[]) => parts.join('; ');
const actions = (name: string, all: readonly string[] = []) =>
  `${name}: ${all.map((action) => action.replace(/Object$/, '')).join(', ')}`;
const tableName = (id: string) => tableDefinitions[id as TableId].name;

function permissionCells(permitted: Permissions) {
  const { tables, indexes = {}, files = {}, listFiles, queue, deadLetters, webhooks, converts } = permitted;
  const ofTables = Object.entries(tables).map(([id, all]) => actions(tableName(id), all));
  const ofIndexes = Object.values(indexes).flatMap((index) =>
    Object.entries(index).map(([name, all]) => actions(`its index ${name}`, all)),
  );
  const ofFiles = Object.entries(files).map(([prefix, all]) => actions(prefix, all));
  const queues = [
    queue?.join(', ') ?? [],
    deadLetters ? actions('of the dead letters', deadLetters) : [],
    webhooks ? actions('of webhooks', webhooks) : [],
    converts ? 'calls the converter' : [],
  ];
  const listing = listFiles ? ['ListBucket'] : [];
  return [list([...ofTables, ...ofIndexes]), list([...ofFiles, ...listing]), list(queues.flat())];
}

test('docs/operate.md says what each function may do', () => {
  const [, section = ''] = read('docs/operate.md').split('\n### What each function may do\n');
  const rows = [...section.matchAll(/^\| ([a-z-]+) \|(.*)\|(.*)\|(.*)\|$/gm)];
  const told = rows.map(([, name, ...cells]) => [name, ...cells.map((cell) => cell.trim())]);
  const real = Object.entries(permissions).map(([name, own]) => [name, ...permissionCells(own)]);
  expect(told.filter(([name]) => name !== 'function')).toEqual(real);
});
