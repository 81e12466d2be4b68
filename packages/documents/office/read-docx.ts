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
  let inNote = false;
  await readXml(zip.chunks(notes.part), {
    open(name, attributes) {
      if (name === notes.element) {
        // Notes of other types are separator lines, not text.
        inNote = !attributes['w:type'] || attributes['w:type'] === 'normal';
        if (inNote) writer.begin({ kind: 'paragraph' });
        if (inNote) writer.text(`[^${notes.prefix}${attributes['w:id']}]: `);
        return;
      }
      // All paragraphs of a note go on the line of its mark.
      if (inNote && name !== 'p') body.open?.(name, attributes);
    },
    close(name) {
      if (name === notes.element) {
        inNote = false;
        writer.end();
      } else if (inNote && name === 'p') writer.text(' ');
      else if (inNote) body.close?.(name);
    },
    text: (value) => inNote && body.text?.(value),
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
