import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseCatalogue } from './parse-catalogue.ts';

test('every example of docs/catalogue.md is a valid catalogue', async () => {
  const text = await readFile(new URL('../../docs/catalogue.md', import.meta.url), 'utf8');
  const examples = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json));
  expect(examples).toHaveLength(5);
  for (const example of examples) expect(parseCatalogue(example, () => 'secret').models).not.toEqual([]);
});
