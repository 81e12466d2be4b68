import { checkContent } from './check-content.ts';
import type { Conversion, ConversionOptions, ReadFormat } from './conversion.ts';
import { DocumentError } from './document-error.ts';

/** Each reader is loaded when its format first comes, so that a text file does not wait for the PDF engine. */
const readers: Readonly<Record<string, () => Promise<ReadFormat>>> = {
  '.pdf': async () => (await import('./formats/pdf.ts')).readPdf,
  '.docx': async () => (await import('./formats/docx.ts')).readDocx,
  '.pptx': async () => (await import('./formats/pptx.ts')).readPptx,
  '.xlsx': async () => (await import('./formats/xlsx.ts')).readXlsx,
  '.odt': async () => (await import('./formats/odt.ts')).readOdt,
  '.ods': async () => (await import('./formats/ods.ts')).readOds,
  '.odp': async () => (await import('./formats/odp.ts')).readOdp,
  '.rtf': async () => (await import('./formats/rtf.ts')).readRtf,
  '.epub': async () => (await import('./formats/epub.ts')).readEpub,
  '.html': async () => (await import('./formats/html.ts')).readHtml,
  '.htm': async () => (await import('./formats/html.ts')).readHtml,
  '.md': async () => (await import('./formats/plain-text.ts')).readPlainText,
  '.txt': async () => (await import('./formats/plain-text.ts')).readPlainText,
  '.csv': async () => (await import('./formats/delimited.ts')).readDelimited,
  '.tsv': async () => (await import('./formats/delimited.ts')).readDelimited,
  '.json': async () => (await import('./formats/plain-text.ts')).readPlainText,
  '.xml': async () => (await import('./formats/plain-text.ts')).readPlainText,
};

function asDocumentError(error: unknown, extension: string): DocumentError {
  if (error instanceof DocumentError) return error;
  return new DocumentError('broken', `The ${extension} file could not be read: it is damaged or incomplete.`);
}

/** Converts in this very thread, with no limit of time or memory: `convertDocument` is what others call. */
export async function convertBytes(
  bytes: Uint8Array,
  extension: string,
  options: ConversionOptions,
): Promise<Conversion> {
  const load = readers[extension];
  if (!load) throw new DocumentError('unsupported', `Files of the kind ${extension} cannot be converted.`);
  checkContent(bytes, extension);
  try {
    const read = await load();
    const conversion = await read(bytes, options, extension);
    if (conversion.text.trim() !== '') return conversion;
  } catch (error) {
    throw asDocumentError(error, extension);
  }
  throw new DocumentError('empty', `No text was found in the ${extension} file.`);
}
