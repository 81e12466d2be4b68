import { DocumentError } from '../document-error.ts';
import type { ZipArchive } from '../zip-archive.ts';
import { readRelationships } from './relationships.ts';

export function requirePart(zip: ZipArchive, part: string): void {
  if (!zip.has(part)) throw new DocumentError('broken', 'The file is damaged: its main part is missing.');
}

/** The part that holds the document: where nearly every program puts it, or where the package says. */
export async function findMainPart(zip: ZipArchive, usual: string): Promise<string> {
  if (zip.has(usual)) return usual;
  const ofPackage = await readRelationships(zip, '');
  const part = ofPackage.values().find(({ type }) => type === 'officeDocument')?.part ?? usual;
  requirePart(zip, part);
  return part;
}
