import { readDocument } from '@errand/documents';
import { expect, test } from 'vitest';
import { makeSlides, makeWord, makeWorkbook } from './office-files.ts';

const reading = { wholeCharacters: 1e6, shownCharacters: 1e6 };

const textOf = async (extension: string, bytes: Uint8Array) =>
  (await readDocument({}, { bytes, extension, reading })).shown.text;

test('a Word document keeps its headings and lines', async () => {
  const text = await textOf('.docx', makeWord(['# First', 'A & B.', '# Second', 'C.']));
  expect(text).toBe('# First\n\nA & B.\n\n# Second\n\nC.');
});

test('a presentation has its slides in order', async () => {
  const text = await textOf(
    '.pptx',
    makeSlides([
      ['One', 'A.'],
      ['Two', 'B.'],
    ]),
  );
  expect(text).toBe('## Slide 1: One\n\nA.\n\n## Slide 2: Two\n\nB.');
});

test('a workbook has its rows as a table', async () => {
  const text = await textOf(
    '.xlsx',
    makeWorkbook('Costs', [
      ['Product', 'Price'],
      ['Lamp', '12'],
    ]),
  );
  expect(text).toContain('## Sheet: Costs');
  expect(text).toMatch(/\| Lamp +\| 12 +\|/);
});
