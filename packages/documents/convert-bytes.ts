import {
  type DocumentKind,
  describeMismatch,
  documentFacts,
  NestingError,
  readContentKind,
  textDocuments,
} from '@errand/text';
import type { Conversion, ConversionOptions, ReadFormat } from './conversion.ts';
import { DocumentError, damaged } from './document-error.ts';
import { isTextExtension, provenExtension } from './document-extensions.ts';

type Form = (typeof textDocuments)[string]['form'];

/** Each reader is loaded when its format is first needed: a text file does not wait for the PDF engine. */
const readers: Readonly<Record<DocumentKind | Form, () => Promise<ReadFormat>>> = {
  pdf: async () => (await import('./pdf/read-pdf.ts')).readPdf,
  docx: async () => (await import('./office/read-docx.ts')).readDocx,
  pptx: async () => (await import('./office/read-pptx.ts')).readPptx,
  xlsx: async () => (await import('./office/read-xlsx.ts')).readXlsx,
  odt: async () => (await import('./open-document/read-odt.ts')).readOdt,
  ods: async () => (await import('./open-document/read-ods.ts')).readOds,
  odp: async () => (await import('./open-document/read-odp.ts')).readOdp,
  rtf: async () => (await import('./rtf/read-rtf.ts')).readRtf,
  epub: async () => (await import('./html/read-epub.ts')).readEpub,
  page: async () => (await import('./html/read-html.ts')).readHtml,
  table: async () => (await import('./text/read-delimited.ts')).readDelimited,
  plain: async () => (await import('./text/read-plain-text.ts')).readPlainText,
};

const readersByExtension = new Map([
  ...documentFacts.map(([kind, { extensions }]) => [extensions[0], readers[kind]] as const),
  ...Object.entries(textDocuments).map(([extension, { form }]) => [extension, readers[form]] as const),
]);

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
  const loadReader = readersByExtension.get(extension);
  if (!loadReader)
    throw new DocumentError('unsupported', `Files of the kind ${extension} cannot be converted.`);
  checkContent(bytes, extension);
  try {
    const read = await loadReader();
    const conversion = await read(bytes, options, extension);
    if (conversion.text.trim() !== '') return conversion;
  } catch (error) {
    throw asDocumentError(error, extension);
  }
  throw new DocumentError('empty', `No text was found in the ${extension} file.`);
}

const officeExtensions = new Set(['.docx', '.pptx', '.xlsx']);

/** Refuses content that is not what its extension says. */
function checkContent(bytes: Uint8Array, extension: string): void {
  const kind = readContentKind(bytes);
  if (provenExtension(kind) === extension) return;
  if ((kind === 'text' || kind === 'html') && isTextExtension(extension)) return;
  if (kind === 'encryptedOffice' && officeExtensions.has(extension)) {
    throw new DocumentError(
      'encrypted',
      `The ${extension} file is protected by a password and cannot be read.`,
    );
  }
  throw new DocumentError('wrong_content', describeMismatch(extension, kind));
}
