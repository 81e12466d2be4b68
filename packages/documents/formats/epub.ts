import { posix } from 'node:path';
import { createConversion, type ReadFormat } from '../conversion.ts';
import { DocumentError } from '../document-error.ts';
import { createHtmlReader } from '../html-events.ts';
import { createMarkdownWriter } from '../markdown-writer.ts';
import { readTitle } from '../office/core-title.ts';
import { requirePart } from '../office/main-part.ts';
import { decodeText, htmlCharset } from '../text-decoding.ts';
import { readXml } from '../xml-events.ts';
import { openZipArchive, type ZipArchive } from '../zip-archive.ts';

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

/** What the book's own list of encrypted members names; fonts may be hidden in a book that anyone can read. */
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
  const reader = createHtmlReader(writer);
  for (const chapter of await chapterParts(zip, part)) {
    if (encrypted.has(chapter)) {
      throw new DocumentError('encrypted', 'The .epub file is protected against copying and cannot be read.');
    }
    reader.read(decodeText(await zip.bytes(chapter), { declared: htmlCharset }), { xhtml: true });
  }
  return createConversion(writer.finish(), { title: (await readTitle(zip, part)) ?? reader.title() });
};
