export { type Conversion, convertedText } from './conversion.ts';
export { type ConvertLimits, convertDocument } from './convert-document.ts';
export { detectDocumentExtension } from './detect-extension.ts';
export { DocumentError, type DocumentErrorCode } from './document-error.ts';
export { documentExtensions } from './document-extensions.ts';
