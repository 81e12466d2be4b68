import { readXml } from '../archive/read-xml.ts';
import type { ZipArchive } from '../archive/zip-archive.ts';
import { type Relationship, relationshipId } from './relationships.ts';
import { type NumberFormat, numberFormat } from './xlsx-values.ts';

/** Excel's own limit. It bounds the output, because many cells may refer to one string. */
const cellCharacters = 32_767;

interface Workbook {
  sheets: { name: string; part: string }[];
  from1904: boolean;
}

export async function readWorkbook(
  zip: ZipArchive,
  part: string,
  relationships: ReadonlyMap<string, Relationship>,
): Promise<Workbook> {
  const workbook: Workbook = { sheets: [], from1904: false };
  await readXml(zip.chunks(part), {
    open(name, attributes) {
      if (name === 'workbookPr') workbook.from1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      const relationship = name === 'sheet' ? relationships.get(relationshipId(attributes)) : undefined;
      if (relationship?.type === 'worksheet') {
        workbook.sheets.push({ name: attributes.name ?? '', part: relationship.part });
      }
    },
  });
  return workbook;
}

export async function readSharedStrings(zip: ZipArchive, part: string): Promise<string[]> {
  const strings: string[] = [];
  let value = '';
  let inText = false;
  let inPhonetic = false;
  await readXml(zip.chunks(part), {
    open(name) {
      if (name === 'si') value = '';
      if (name === 'rPh') inPhonetic = true;
      inText = name === 't' && !inPhonetic;
    },
    close(name) {
      inText = false;
      if (name === 'rPh') inPhonetic = false;
      if (name === 'si') strings.push(value.slice(0, cellCharacters));
    },
    text(text) {
      if (inText) value += text;
    },
  });
  return strings;
}

/** The number format of each cell style, in the order of the styles. */
export async function readCellFormats(zip: ZipArchive, part: string): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  let inCellStyles = false;
  await readXml(zip.chunks(part), {
    open(name, attributes) {
      const id = Number(attributes.numFmtId);
      if (name === 'numFmt') codes.set(id, attributes.formatCode ?? '');
      else if (name === 'cellXfs') inCellStyles = true;
      else if (name === 'xf' && inCellStyles) formats.push(numberFormat(id, codes.get(id)));
    },
    close(name) {
      if (name === 'cellXfs') inCellStyles = false;
    },
  });
  return formats;
}
