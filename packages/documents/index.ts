export type { ConversionAnswer, ConversionCall } from './converter/conversion-call.ts';
export { type ConvertStoredDeps, convertStored } from './converter/convert-stored.ts';
export { readByConverter } from './converter/read-by-converter.ts';
export { detectDocumentExtension } from './detect-extension.ts';
export { DocumentError, type DocumentErrorCode } from './document-error.ts';
export { documentExtensions } from './document-extensions.ts';
export { type DocumentReader, readInThread } from './document-reader.ts';
export { type ConvertLimits, readDocument } from './read-document.ts';
export type { ReadDocument } from './worker-messages.ts';
