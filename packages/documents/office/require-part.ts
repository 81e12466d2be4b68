import { DocumentError } from '../document-error.ts';
import type { ZipArchive } from '../zip-archive.ts';

export function requirePart(zip: ZipArchive, part: string): void {
  if (!zip.has(part)) throw new DocumentError('broken', 'The file is damaged: its main part is missing.');
}
