import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { circlesOf, importsOf } from './circles.ts';
import { readSources, root, type Source } from './sources.ts';

/** The packages and folders that each of them may import. Each must have an entry. */
const mayImport: Record<string, readonly string[]> = {
  platform: [],
  text: ['platform'],
  passages: ['platform', 'text'],
  outputs: ['platform'],
  money: ['platform'],
  accounts: ['platform', 'money'],
  models: ['platform', 'text', 'money'],
  documents: ['platform', 'text', 'passages'],
  web: ['platform', 'text', 'passages'],
  versions: ['platform'],
  skills: ['platform', 'accounts', 'models', 'versions'],
  agent: ['platform', 'text', 'passages', 'outputs', 'money', 'models', 'documents', 'web'],
  agents: ['platform', 'outputs', 'money', 'accounts', 'web', 'versions', 'skills', 'agent'],
  'remote-tools': ['platform', 'text', 'web', 'agent'],
  values: ['platform', 'accounts'],
  webhooks: ['platform', 'money', 'accounts', 'web'],
  pages: ['platform'],
  uploads: ['platform', 'text', 'money', 'accounts', 'documents'],
  runs: [
    ...['platform', 'text', 'passages', 'outputs', 'money', 'accounts', 'models', 'documents', 'web'],
    ...['skills', 'agent', 'agents', 'values', 'uploads', 'webhooks', 'remote-tools'],
  ],
  decisions: ['platform', 'money', 'accounts', 'models'],
  chat: ['platform', 'text', 'money', 'accounts', 'models', 'web', 'skills'],
  messages: ['platform', 'accounts', 'models', 'skills', 'chat'],
  mcp: ['platform', 'accounts', 'models', 'skills', 'agent', 'agents', 'runs', 'decisions'],
  responses: ['platform', 'accounts', 'models', 'skills', 'agent', 'agents', 'uploads', 'runs', 'chat'],
  schedules: [
    ...['platform', 'money', 'accounts', 'models', 'webhooks', 'skills', 'agent', 'agents', 'runs'],
    'decisions',
  ],
  service: [
    ...[
      'platform',
      'money',
      'accounts',
      'models',
      'documents',
      'web',
      'skills',
      'agent',
      'agents',
      'values',
      'uploads',
    ],
    ...['runs', 'decisions', 'chat', 'messages', 'responses', 'pages', 'webhooks', 'mcp', 'schedules'],
  ],
  client: [],
  's3-server': [],
  'stand-ins': ['platform'],
  admin: [
    ...[
      'platform',
      'money',
      'accounts',
      'models',
      'versions',
      'skills',
      'agents',
      'runs',
      'decisions',
      'schedules',
    ],
    'webhooks',
  ],
  console: ['client'],
  smoke: ['platform', 'money', 'accounts', 'web', 'admin'],
  local: [
    ...['platform', 'money', 'accounts', 'models', 'runs', 'pages', 'service', 's3-server', 'stand-ins'],
    'webhooks',
  ],
  functions: ['platform', 'models', 'service'],
  infra: ['platform'],
  scripts: ['platform', 'money', 'models', 'service', 'pages', 'admin', 'smoke'],
};

/** The service's configuration, and the program that runs on callers' machines. */
const environmentReaders = [
  'packages/platform/config.ts',
  'packages/client/errand.ts',
  'packages/console/vite.config.ts',
];

/** What a program writes. */
const generated = ['packages/client/schema.ts'];

const exported = /^export (?:async )?(?:const|class|interface|type|function\*?) (\w+)/gm;

const sources = readSources();
const production = sources.filter(({ isTest }) => !isTest);

const reaches = ({ imports }: Source, room: string): boolean => imports.includes(`@errand/${room}`);

const exportedValues = (text: string): string[] =>
  [...text.matchAll(/export \{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type ')),
  );

describe('imports', () => {
  test('every room is in the table', () => {
    const rooms = new Set(production.map(({ room }) => room));
    expect([...rooms].filter((room) => !(room in mayImport))).toEqual([]);
  });

  test('go only along the arrows of the house', () => {
    const wrong = production.flatMap(({ file, room, imports }) =>
      imports
        .filter((name) => name.startsWith('@errand/'))
        .map((name) => name.split('/')[1] ?? '')
        .filter((target) => target !== room && !mayImport[room]?.includes(target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('never reach past an index, but for tests, which have a door of their own', () => {
    const deep = sources.flatMap(({ file, imports, isTest }) =>
      imports
        .filter((name) => /^@errand\/[^/]+\/./.test(name) && !(isTest && name.endsWith('/testing')))
        .map((name) => `${file} imports ${name}`),
    );
    expect(deep).toEqual([]);
  });

  test('of tests go to the doors of a package, by its name', () => {
    const byPath = sources
      .filter(({ file }) => file.startsWith('test/'))
      .flatMap(({ file, imports }) =>
        imports
          .filter((name) => name.startsWith('.'))
          .map((name) => path.posix.join(path.posix.dirname(file), name))
          .filter((target) => target.startsWith('packages/'))
          .map((target) => `${file} imports ${target}`),
      );
    expect(byPath).toEqual([]);
  });

  test('never go in a circle', () => {
    const files = production.map(({ file }) => file).filter((file) => file.startsWith('packages/'));
    expect(circlesOf(importsOf(root, files))).toEqual([]);
  });

  test('use every value that an index exports', () => {
    const unused = sources
      .filter(({ file }) => /^packages\/[^/]+\/index\.ts$/.test(file))
      .flatMap(({ room, text }) => {
        const users = sources.filter((source) => source.room !== room && reaches(source, room));
        return exportedValues(text)
          .filter((name) => !users.some((user) => new RegExp(`\\b${name}\\b`).test(user.text)))
          .map((name) => `${room} exports ${name}`);
      });
    expect(unused).toEqual([]);
  });

  test("let smoke's checks know the service by HTTP alone", () => {
    const ofStore = production
      .filter(
        ({ room, imports }) =>
          room === 'smoke' && imports.some((name) => /^@errand\/(money|accounts|admin)$/.test(name)),
      )
      .map(({ file }) => file.replace('packages/smoke/', ''));
    // The command finds the local service, and makes keys and takes them away.
    expect(ofStore.sort()).toEqual(['find-keys.ts', 'keys.ts', 'run.ts']);
  });

  test('of relative paths stay in their package', () => {
    const climbing = sources
      .filter(({ file }) => file.startsWith('packages/'))
      .flatMap(({ file, imports, room, isTest }) =>
        imports
          .filter((name) => name.startsWith('.'))
          .map((name) => path.posix.join(path.posix.dirname(file), name))
          .filter((target) => !target.startsWith(`packages/${room}/`))
          .filter((target) => !(isTest && target.startsWith('test/support/')))
          .map((target) => `${file} imports ${target}`),
      );
    expect(climbing).toEqual([]);
  });

  test('of a module that only tests import lead to a test-support folder, and production imports nothing from there', () => {
    const importers = Map.groupBy(
      sources.flatMap(({ file, imports, isTest }) =>
        imports
          .filter((name) => name.startsWith('.'))
          .map((name) => ({ target: path.posix.join(path.posix.dirname(file), name), isTest })),
      ),
      ({ target }) => target,
    );
    const misplaced = sources
      .filter(({ file }) => file.startsWith('packages/') && !/(^|\/)index\.ts$/.test(file))
      .filter(({ file, isTest }) => {
        const users = importers.get(file) ?? [];
        return isTest
          ? users.some((user) => !user.isTest)
          : users.length > 0 && users.every((user) => user.isTest);
      });
    expect(misplaced.map(({ file }) => file)).toEqual([]);
  });
});

describe('sources', () => {
  test('export only what another file uses', () => {
    const users = new Map<string, number>();
    for (const { text } of sources)
      for (const word of new Set(text.match(/\w+/g))) users.set(word, (users.get(word) ?? 0) + 1);
    const unused = production
      .filter(({ file }) => file.startsWith('packages/') && !generated.includes(file))
      .flatMap(({ file, text }) =>
        [...text.matchAll(exported)]
          .filter(([, name = '']) => users.get(name) === 1)
          .map(([, name]) => `${file} exports ${name}`),
      );
    expect(unused).toEqual([]);
  });

  test('read the environment in one place', () => {
    const readers = production
      .filter(({ file, room }) => !environmentReaders.includes(file) && room !== 'scripts')
      .filter(({ text }) => text.includes('process.env'))
      .map(({ file }) => file);
    expect(readers).toEqual([]);
  });

  test('have at most 300 lines each, apart from the table of limits', () => {
    const large = production
      .filter(({ file }) => !generated.includes(file) && file !== 'packages/platform/limits.ts')
      .map(({ file, text }) => ({ file, lines: text.split('\n').length }))
      .filter(({ lines }) => lines > 300);
    expect(large).toEqual([]);
  });

  test('are never named utils, helpers, common or manager', () => {
    const named = sources.filter(({ file }) =>
      /(^|\/)(utils?|helpers?|common|managers?)(\/|\.ts$)/.test(file),
    );
    expect(named.map(({ file }) => file)).toEqual([]);
  });

  test('add and subtract one with ++ and --', () => {
    const steps = sources.filter(({ text }) => /[-+]= 1(?![\d._])/.test(text)).map(({ file }) => file);
    expect(steps).toEqual([]);
  });
});
