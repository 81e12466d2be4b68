export { detectDocumentExtension } from './detect-extension.ts';
export { DocumentError, type DocumentErrorCode } from './document-error.ts';
export { documentExtensions } from './document-extensions.ts';
export { type ConvertLimits, type ReadDocument, readDocument } from './read-document.ts';
