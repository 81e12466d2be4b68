import { createMarkdownWriter, type MarkdownWriter } from '@errand/text';
import { readTitle } from '../archive/read-title.ts';
import { readXml } from '../archive/read-xml.ts';
import { openZipArchive, type ZipArchive } from '../archive/zip-archive.ts';
import { createConversion, type ReadFormat } from '../conversion.ts';
import { createDocxHandler, type DocxParts } from './docx-body.ts';
import { readDocxNumbering } from './docx-numbering.ts';
import { readDocxStyles } from './docx-styles.ts';
import { findMainPart } from './main-part.ts';
import { readRelationships } from './relationships.ts';

async function readNotes(
  zip: ZipArchive,
  writer: MarkdownWriter,
  parts: Omit<DocxParts, 'relationships'>,
  notes: { part: string; element: string; prefix: string },
): Promise<void> {
  if (!zip.has(notes.part)) return;
  const body = createDocxHandler(writer, {
    ...parts,
    relationships: await readRelationships(zip, notes.part),
  });
  let shown = false;
  await readXml(zip.chunks(notes.part), {
    open(name, attributes) {
      if (name === notes.element) {
        // The lines that separate notes from the page are notes with a type.
        shown = !attributes['w:type'] || attributes['w:type'] === 'normal';
        if (shown) writer.begin({ kind: 'paragraph' });
        if (shown) writer.text(`[^${notes.prefix}${attributes['w:id']}]: `);
        return;
      }
      // The first paragraph of a note goes on the line of its mark.
      if (shown && name !== 'p') body.open?.(name, attributes);
    },
    close(name) {
      if (name === notes.element) {
        shown = false;
        writer.end();
      } else if (shown && name === 'p') writer.text(' ');
      else if (shown) body.close?.(name);
    },
    text: (value) => shown && body.text?.(value),
  });
}

export const readDocx: ReadFormat = async (bytes, options) => {
  const zip = await openZipArchive(bytes);
  const mainPart = await findMainPart(zip, 'word/document.xml');
  const writer = createMarkdownWriter(options.outputCharacters);
  const parts = { styles: await readDocxStyles(zip), nextMarker: await readDocxNumbering(zip) };
  const relationships = await readRelationships(zip, mainPart);
  await readXml(zip.chunks(mainPart), createDocxHandler(writer, { ...parts, relationships }));
  await readNotes(zip, writer, parts, { part: 'word/footnotes.xml', element: 'footnote', prefix: '' });
  await readNotes(zip, writer, parts, { part: 'word/endnotes.xml', element: 'endnote', prefix: 'e' });
  return createConversion(writer.finish(), { title: await readTitle(zip, 'docProps/core.xml') });
};
