import { createMarkdownWriter, type MarkdownWriter } from '@errand/text';
import { readTitle } from '../archive/read-title.ts';
import { readXml, type XmlHandler } from '../archive/read-xml.ts';
import type { ZipArchive } from '../archive/zip-archive.ts';
import { createConversion, type ReadFormat } from '../conversion.ts';
import { openOdf } from './open-odf.ts';
import { readOdfStyles } from './styles.ts';
import { createOdfTextHandler, type OdfNote, writeOdfNotes } from './text.ts';

const leftOut = new Set(['title', 'page-number', 'date-time', 'header', 'footer']);

/** The titles of the slides in order. They are read first because each goes into its slide's heading. */
async function slideTitles(zip: ZipArchive): Promise<string[]> {
  const titles: string[] = [];
  let depth = 0;
  let titleDepth = 0;
  await readXml(zip.chunks('content.xml'), {
    open(name, attributes) {
      depth++;
      if (name === 'page') titles.push('');
      if (name === 'frame' && attributes['presentation:class'] === 'title') titleDepth = depth;
    },
    close() {
      if (depth === titleDepth) titleDepth = 0;
      depth--;
    },
    text(value) {
      if (titleDepth > 0 && titles.length > 0) titles[titles.length - 1] += ` ${value}`;
    },
  });
  return titles.map((title) => title.replace(/\s+/g, ' ').trim());
}

/** Adds headings for slides and notes to a text handler, and drops the titles that these headings already hold. */
function createSlidesHandler(
  writer: MarkdownWriter,
  body: XmlHandler,
  titles: readonly string[],
): XmlHandler {
  let slide = 0;
  let skipped = 0;
  let inNotes = false;

  function heading(level: number, text: string): void {
    writer.begin({ kind: 'heading', level });
    writer.text(text);
    writer.end();
  }

  return {
    open(name, attributes) {
      if (skipped > 0 || (name === 'frame' && leftOut.has(attributes['presentation:class'] ?? ''))) {
        skipped++;
        return;
      }
      if (name === 'page') {
        const title = titles[slide];
        slide++;
        writer.place(`slide ${slide}`);
        heading(2, `Slide ${slide}${title ? `: ${title}` : ''}`);
      }
      if (name === 'notes') inNotes = true;
      if (inNotes && name === 'p') {
        heading(3, 'Notes');
        inNotes = false;
      }
      body.open?.(name, attributes);
    },
    close(name) {
      if (skipped > 0) {
        skipped--;
        return;
      }
      if (name === 'notes') inNotes = false;
      body.close?.(name);
    },
    text: (value) => skipped === 0 && body.text?.(value),
  };
}

export const readOdp: ReadFormat = async (bytes, options, extension) => {
  const zip = await openOdf(bytes, extension);
  const writer = createMarkdownWriter(options.outputCharacters);
  const titles = await slideTitles(zip);
  const notes: OdfNote[] = [];
  const body = createOdfTextHandler(writer, await readOdfStyles(zip), notes);
  let hasText = titles.some((title) => title !== '');
  const noticing: XmlHandler = {
    ...body,
    text(value) {
      hasText ||= value.trim() !== '';
      body.text?.(value);
    },
  };
  await readXml(zip.chunks('content.xml'), createSlidesHandler(writer, noticing, titles));
  writeOdfNotes(writer, notes);
  const result = hasText ? writer.finish() : { text: '', truncatedCharacters: 0 };
  return createConversion(result, { title: await readTitle(zip, 'meta.xml'), pages: titles.length });
};
