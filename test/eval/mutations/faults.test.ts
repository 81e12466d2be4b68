import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { faults } from './faults.ts';

const root = path.resolve(import.meta.dirname, '../../..');

test('every fault finds its texts in the sources, each once', async () => {
  const edits = faults.flatMap(({ name, edits: own }) => own.map((edit) => ({ name, ...edit })));
  const found = await Promise.all(
    edits.map(async ({ name, file, find }) => {
      const text = await readFile(path.join(root, file), 'utf8');
      return [name, text.split(find).length - 1];
    }),
  );
  expect(found).toEqual(edits.map(({ name }) => [name, 1]));
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});
