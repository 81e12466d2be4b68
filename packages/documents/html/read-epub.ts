import { posix } from 'node:path';
import {
  createHtmlHandler,
  createHtmlParser,
  createMarkdownWriter,
  decodeText,
  type MarkdownWriter,
} from '@errand/text';
import { readTitle } from '../archive/read-title.ts';
import { readXml } from '../archive/read-xml.ts';
import { openZipArchive, requirePart, type ZipArchive } from '../archive/zip-archive.ts';
import { createConversion, type ReadFormat } from '../conversion.ts';
import { DocumentError } from '../document-error.ts';

function decodedPath(folder: string, href: string): string {
  const path = href.split('#')[0] ?? '';
  try {
    return posix.join(folder, decodeURIComponent(path));
  } catch {
    return posix.join(folder, path);
  }
}

async function packagePart(zip: ZipArchive): Promise<string> {
  let part = '';
  await readXml(zip.chunks('META-INF/container.xml'), {
    open(name, attributes) {
      if (name === 'rootfile') part ||= attributes['full-path'] ?? '';
    },
  });
  return part;
}

/** The chapters in reading order. */
async function chapterParts(zip: ZipArchive, part: string): Promise<string[]> {
  const items = new Map<string, string>();
  const chapters: string[] = [];
  await readXml(zip.chunks(part), {
    open(name, attributes) {
      if (name === 'item') {
        items.set(attributes.id ?? '', decodedPath(posix.dirname(part), attributes.href ?? ''));
      }
      const chapter = name === 'itemref' ? items.get(attributes.idref ?? '') : undefined;
      if (chapter) chapters.push(chapter);
    },
  });
  return chapters;
}

/** The members that the book lists as encrypted. Fonts may be encrypted in a book that anyone can read. */
async function encryptedParts(zip: ZipArchive): Promise<Set<string>> {
  const parts = new Set<string>();
  await readXml(zip.chunks('META-INF/encryption.xml'), {
    open(name, attributes) {
      if (name === 'CipherReference') parts.add(decodedPath('', attributes.URI ?? ''));
    },
  });
  return parts;
}

export const readEpub: ReadFormat = async (bytes, options) => {
  const zip = await openZipArchive(bytes);
  const part = await packagePart(zip);
  requirePart(zip, part);
  const encrypted = await encryptedParts(zip);
  const writer = createMarkdownWriter(options.outputCharacters);
  let title = await readTitle(zip, part);
  for (const chapter of await chapterParts(zip, part)) {
    if (encrypted.has(chapter)) {
      throw new DocumentError('encrypted', 'The .epub file is protected against copying and cannot be read.');
    }
    const ofChapter = await writeChapter(writer, decodeText(await zip.bytes(chapter)));
    title ||= ofChapter;
  }
  return createConversion(writer.finish(), { title });
};

/** Writes a chapter and returns its title. */
async function writeChapter(writer: MarkdownWriter, xhtml: string): Promise<string> {
  const handler = createHtmlHandler(writer);
  const parser = await createHtmlParser(handler, { xhtml: true });
  parser.write(xhtml);
  parser.end();
  writer.end();
  return handler.title();
}
