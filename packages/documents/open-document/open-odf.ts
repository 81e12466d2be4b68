import { readXml } from '../archive/read-xml.ts';
import { openZipArchive, requirePart, type ZipArchive } from '../archive/zip-archive.ts';
import { DocumentError } from '../document-error.ts';

export async function openOdf(bytes: Uint8Array, extension: string): Promise<ZipArchive> {
  const zip = await openZipArchive(bytes);
  let encrypted = false;
  await readXml(zip.chunks('META-INF/manifest.xml'), {
    open(name) {
      if (name === 'encryption-data') encrypted = true;
    },
  });
  if (encrypted) {
    throw new DocumentError(
      'encrypted',
      `The ${extension} file is protected by a password and cannot be read.`,
    );
  }
  requirePart(zip, 'content.xml');
  return zip;
}
