/** What tests of other rooms reach of this one. Nothing else imports it. */
export { convertBytes } from './convert-bytes.ts';
export { detectDocumentExtension } from './detect-extension.ts';
export { makePdf, makePdfOf } from './test-support/pdf-file.ts';
export { makeDocx, makeZip, type ZipMember } from './test-support/zip-file.ts';
