import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { showGenerator, showProgram } from './generated/show-program.ts';
import { clients } from './support/client-list.ts';
import { compareOrWritePart } from './support/page.ts';
import { compareOrDropGroups, compareOrWriteSummary, groupOf } from './support/table.ts';

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8');

const files = globSync('*/*.test.ts', { cwd: import.meta.dirname });

test('every client has tests, in its own folder', () => {
  expect(new Set(files.map((file) => path.dirname(file)))).toEqual(
    new Set(clients.map(({ folder }) => folder)),
  );
});

test('docs/clients.md points each client at the service as its tests do', () => {
  const made = clients.map(
    ({ name, folder }) => `### \`${name}\`\n\n\`\`\`ts\n${read(`${folder}/connect.ts`)}\`\`\`\n`,
  );
  compareOrWritePart('connections', made.join('\n'));
});

test('docs/clients.md generates clients, and uses them, as the tests do', () => {
  const fetches = showProgram('with-openapi-fetch.ts', ['chat', 'read', 'streamedChat', 'form', 'run']);
  compareOrWritePart('openapi-fetch', `${showGenerator('write-openapi-types.ts')}\n${fetches}`);
  const hey = showProgram('with-hey-api.ts', ['chat', 'streamedChat', 'form', 'run']);
  compareOrWritePart('hey-api', `${showGenerator('write-hey-api-client.ts')}\n${hey}`);
});

test('the table has exactly the parts that are tried', () => {
  const tried = files.flatMap((file) =>
    [...read(file).matchAll(/^client\(\s*'([^']+)',\s*'([^']+)'/gm)].map(([, name = '', part = '']) =>
      groupOf(name, part),
    ),
  );
  expect(tried.length).toBeGreaterThan(clients.length);
  expect(new Set(tried).size).toBe(tried.length);
  compareOrDropGroups(tried);
});

test('the summary counts the rows of the table', () => compareOrWriteSummary());
