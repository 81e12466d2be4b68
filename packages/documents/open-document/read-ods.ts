import { createMarkdownWriter } from '@errand/text';
import { readTitle } from '../archive/read-title.ts';
import { type Attributes, readXml } from '../archive/xml-events.ts';
import { createConversion, type ReadFormat } from '../conversion.ts';
import { openOdf } from './open-odf.ts';

/** Calc writes an empty rest of a row or sheet as one cell or row repeated up to a million times. */
const maximumRepeatedCells = 1_000;
const maximumRepeatedRows = 1_000;
const skippedElements = new Set(['annotation', 'shapes', 'tracked-changes', 'forms', 'frame']);

function repeats(attributes: Attributes, name: string): number {
  return Math.max(1, Number(attributes[name]) || 1);
}

export const readOds: ReadFormat = async (bytes, options, extension) => {
  const zip = await openOdf(bytes, extension);
  const writer = createMarkdownWriter(options.outputCharacters);
  let table = writer.longTable();
  let row: string[] = [];
  let rowRepeats = 1;
  let cell = '';
  let emptyCells = 0;
  let cellRepeats = 1;
  let paragraphs = 0;
  let skipped = 0;
  let hasRows = false;

  function closeCell(): void {
    if (cell === '') {
      emptyCells += cellRepeats;
      return;
    }
    for (; emptyCells > 0 && row.length < 16_384; emptyCells -= 1) row.push('');
    for (let count = Math.min(cellRepeats, maximumRepeatedCells); count > 0; count -= 1) row.push(cell);
  }

  function closeRow(): void {
    if (row.length === 0) return;
    hasRows = true;
    for (let count = Math.min(rowRepeats, maximumRepeatedRows); count > 0; count -= 1) table.row(row);
  }

  await readXml(zip.chunks('content.xml'), {
    open(name, attributes) {
      if (skipped > 0 || skippedElements.has(name)) skipped += 1;
      else if (name === 'table') {
        writer.begin({ kind: 'heading', level: 2 });
        writer.text(`Sheet: ${attributes['table:name'] ?? ''}`);
        table = writer.longTable();
      } else if (name === 'table-row') {
        row = [];
        emptyCells = 0;
        rowRepeats = repeats(attributes, 'table:number-rows-repeated');
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        cell = '';
        cellRepeats = repeats(attributes, 'table:number-columns-repeated');
      } else if (name === 'p') {
        if (cell) cell += '\n';
        paragraphs += 1;
      } else if (name === 's' || name === 'tab') cell += ' ';
      else if (name === 'line-break') cell += '\n';
    },
    close(name) {
      if (skipped > 0) skipped -= 1;
      else if (name === 'p') paragraphs -= 1;
      else if (name === 'table-cell' || name === 'covered-table-cell') closeCell();
      else if (name === 'table-row') closeRow();
      else if (name === 'table') table.end();
    },
    text(value) {
      if (skipped === 0 && paragraphs > 0) cell += value;
    },
  });
  const result = hasRows ? writer.finish() : { text: '', truncatedCharacters: 0 };
  return createConversion(result, { title: await readTitle(zip, 'meta.xml') });
};
