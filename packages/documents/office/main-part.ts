import { requirePart, type ZipArchive } from '../archive/zip-archive.ts';
import { readRelationships } from './relationships.ts';

/** The part that holds the document: `usual` if it is there, else the part that the package names. */
export async function findMainPart(zip: ZipArchive, usual: string): Promise<string> {
  if (zip.has(usual)) return usual;
  const ofPackage = await readRelationships(zip, '');
  const part = ofPackage.values().find(({ type }) => type === 'officeDocument')?.part ?? usual;
  requirePart(zip, part);
  return part;
}
