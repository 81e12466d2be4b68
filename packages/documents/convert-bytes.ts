import { NestingError } from '@errand/text';
import { checkContent } from './check-content.ts';
import type { Conversion, ConversionOptions, ReadFormat } from './conversion.ts';
import { DocumentError, damaged } from './document-error.ts';
import { type DocumentExtension, isDocumentExtension } from './document-extensions.ts';

/** Each reader is loaded when its format is first needed: a text file does not wait for the PDF engine. */
const readers: Readonly<Record<DocumentExtension, () => Promise<ReadFormat>>> = {
  '.pdf': async () => (await import('./pdf/read-pdf.ts')).readPdf,
  '.docx': async () => (await import('./office/read-docx.ts')).readDocx,
  '.pptx': async () => (await import('./office/read-pptx.ts')).readPptx,
  '.xlsx': async () => (await import('./office/read-xlsx.ts')).readXlsx,
  '.odt': async () => (await import('./open-document/read-odt.ts')).readOdt,
  '.ods': async () => (await import('./open-document/read-ods.ts')).readOds,
  '.odp': async () => (await import('./open-document/read-odp.ts')).readOdp,
  '.rtf': async () => (await import('./rtf/read-rtf.ts')).readRtf,
  '.epub': async () => (await import('./html/read-epub.ts')).readEpub,
  '.html': async () => (await import('./html/read-html.ts')).readHtml,
  '.htm': async () => (await import('./html/read-html.ts')).readHtml,
  '.md': async () => (await import('./text/read-plain-text.ts')).readPlainText,
  '.txt': async () => (await import('./text/read-plain-text.ts')).readPlainText,
  '.csv': async () => (await import('./text/read-delimited.ts')).readDelimited,
  '.tsv': async () => (await import('./text/read-delimited.ts')).readDelimited,
  '.json': async () => (await import('./text/read-plain-text.ts')).readPlainText,
  '.xml': async () => (await import('./text/read-plain-text.ts')).readPlainText,
};

function asDocumentError(error: unknown, extension: string): DocumentError {
  if (error instanceof DocumentError) return error;
  if (error instanceof NestingError)
    return new DocumentError('broken', 'The file is nested too deeply to be read.');
  return damaged(extension);
}

/**
 * Converts in the current thread without limits of time or memory. Other rooms call `readDocument`. Throws
 * `DocumentError`.
 */
export async function convertBytes(
  bytes: Uint8Array,
  extension: string,
  options: ConversionOptions,
): Promise<Conversion> {
  if (!isDocumentExtension(extension))
    throw new DocumentError('unsupported', `Files of the kind ${extension} cannot be converted.`);
  checkContent(bytes, extension);
  try {
    const read = await readers[extension]();
    const conversion = await read(bytes, options, extension);
    if (conversion.text.trim() !== '') return conversion;
  } catch (error) {
    throw asDocumentError(error, extension);
  }
  throw new DocumentError('empty', `No text was found in the ${extension} file.`);
}
