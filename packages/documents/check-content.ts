import { describeMismatch, readContentKind } from '@errand/text';
import { DocumentError } from './document-error.ts';
import { provenExtension, textExtensions } from './document-extensions.ts';

const officeExtensions = new Set(['.docx', '.pptx', '.xlsx']);

/** Refuses content that is not what its extension says. */
export function checkContent(bytes: Uint8Array, extension: string): void {
  const kind = readContentKind(bytes);
  if (provenExtension(kind) === extension) return;
  if ((kind === 'text' || kind === 'html') && textExtensions.has(extension)) return;
  if (kind === 'encryptedOffice' && officeExtensions.has(extension)) {
    throw new DocumentError(
      'encrypted',
      `The ${extension} file is protected by a password and cannot be read.`,
    );
  }
  throw new DocumentError('wrong_content', describeMismatch(extension, kind));
}
