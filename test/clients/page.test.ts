import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
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

test('the table has the parts that are tried, and no others', () => {
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
