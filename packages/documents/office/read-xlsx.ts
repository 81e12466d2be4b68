import { createMarkdownWriter, type MarkdownWriter } from '@errand/text';
import { readTitle } from '../archive/read-title.ts';
import { readXml } from '../archive/read-xml.ts';
import { openZipArchive, type ZipArchive } from '../archive/zip-archive.ts';
import { createConversion, type ReadFormat } from '../conversion.ts';
import { findMainPart } from './main-part.ts';
import { readRelationships } from './relationships.ts';
import { readCellFormats, readSharedStrings, readWorkbook } from './xlsx-parts.ts';
import { columnIndex, type NumberFormat, numberText } from './xlsx-values.ts';

interface SheetContext {
  strings: readonly string[];
  formats: readonly NumberFormat[];
  from1904: boolean;
}

interface Cell {
  column: number;
  type: string;
  style: number;
  raw: string;
}

function cellText(cell: Cell, context: SheetContext): string {
  if (cell.type === 's') return context.strings[Number(cell.raw)] ?? '';
  if (cell.type === 'b') return cell.raw === '1' ? 'TRUE' : 'FALSE';
  if (cell.type !== 'n') return cell.raw;
  return numberText(cell.raw, context.formats[cell.style] ?? 'general', context.from1904);
}

/** Writes the sheet's rows. Returns false if it has none. */
async function readSheet(
  zip: ZipArchive,
  part: string,
  writer: MarkdownWriter,
  context: SheetContext,
): Promise<boolean> {
  let hasRows = false;
  const table = writer.longTable();
  let row: string[] = [];
  let cell: Cell = { column: -1, type: 'n', style: 0, raw: '' };
  let inValue = false;
  let inPhonetic = false;
  await readXml(zip.chunks(part), {
    open(name, { r: reference = '', t: type = 'n', s: style = '0' }) {
      if (name === 'row') {
        row = [];
        cell.column = -1;
      } else if (name === 'c') {
        const column = columnIndex(reference);
        cell = { column: column >= 0 ? column : cell.column + 1, type, style: Number(style), raw: '' };
      } else if (name === 'rPh') inPhonetic = true;
      inValue = (name === 'v' || name === 't') && !inPhonetic;
    },
    close(name) {
      inValue = false;
      if (name === 'rPh') inPhonetic = false;
      else if (name === 'c' && cell.raw !== '') {
        while (row.length < cell.column) row.push('');
        row[cell.column] = cellText(cell, context);
      } else if (name === 'row' && row.length > 0) {
        hasRows = true;
        table.row(row);
      }
    },
    text(value) {
      if (inValue) cell.raw += value;
    },
  });
  table.end();
  return hasRows;
}

export const readXlsx: ReadFormat = async (bytes, options) => {
  const zip = await openZipArchive(bytes);
  const mainPart = await findMainPart(zip, 'xl/workbook.xml');
  const relationships = await readRelationships(zip, mainPart);
  const partOf = (type: string) => relationships.values().find((one) => one.type === type)?.part ?? '';
  const workbook = await readWorkbook(zip, mainPart, relationships);
  const context: SheetContext = {
    strings: await readSharedStrings(zip, partOf('sharedStrings')),
    formats: await readCellFormats(zip, partOf('styles')),
    from1904: workbook.from1904,
  };
  const writer = createMarkdownWriter(options.outputCharacters);
  let hasRows = false;
  for (const sheet of workbook.sheets) {
    writer.place(`sheet ${sheet.name}`);
    writer.begin({ kind: 'heading', level: 2 });
    writer.text(`Sheet: ${sheet.name}`);
    hasRows = (await readSheet(zip, sheet.part, writer, context)) || hasRows;
  }
  const result = hasRows ? writer.finish() : { text: '', truncatedCharacters: 0 };
  return createConversion(result, { title: await readTitle(zip, 'docProps/core.xml') });
};
