import { createMarkdownWriter, type MarkdownWriter } from '@errand/text';
import { readTitle } from '../archive/read-title.ts';
import { readXml } from '../archive/read-xml.ts';
import { openZipArchive, type ZipArchive } from '../archive/zip-archive.ts';
import { createConversion, type ReadFormat } from '../conversion.ts';
import { findMainPart } from './main-part.ts';
import { createSlideHandler } from './pptx-shapes.ts';
import { readRelationships, relationshipId } from './relationships.ts';

const everySlide = ['dt', 'ftr', 'hdr', 'sldNum', 'sldImg'];
const titles = ['title', 'ctrTitle'];

async function slideParts(zip: ZipArchive, mainPart: string): Promise<string[]> {
  const relationships = await readRelationships(zip, mainPart);
  const parts: string[] = [];
  await readXml(zip.chunks(mainPart), {
    open(name, attributes) {
      const part = name === 'sldId' ? relationships.get(relationshipId(attributes))?.part : undefined;
      if (part) parts.push(part);
    },
  });
  return parts;
}

/** The slide's title, which may be in any of its shapes. */
async function slideTitle(zip: ZipArchive, part: string): Promise<string> {
  let title = '';
  let inTitle = false;
  let inText = false;
  await readXml(zip.chunks(part), {
    open(name, attributes) {
      if (name === 'ph') inTitle = titles.includes(attributes.type ?? '');
      else if (inTitle && (name === 'br' || name === 'p')) title += ' ';
      inText = name === 't';
    },
    close(name) {
      inText = false;
      if (name === 'sp') inTitle = false;
    },
    text(value) {
      if (inTitle && inText) title += value;
    },
  });
  return title.replace(/\s+/g, ' ').trim();
}

/** Writes the slide and its notes. Returns false if they hold no text. */
async function writeSlide(
  zip: ZipArchive,
  writer: MarkdownWriter,
  part: string,
  number: number,
): Promise<boolean> {
  const title = await slideTitle(zip, part);
  const relationships = await readRelationships(zip, part);
  writer.place(`slide ${number}`);
  writer.begin({ kind: 'heading', level: 2 });
  writer.text(`Slide ${number}${title && `: ${title}`}`);
  writer.end();
  const before = writer.characters();
  const leftOut = new Set([...everySlide, ...titles]);
  await readXml(zip.chunks(part), createSlideHandler(writer, { relationships, leftOut }));
  const notes = relationships.values().find(({ type }) => type === 'notesSlide')?.part;
  if (notes && zip.has(notes)) await writeNotes(zip, writer, notes);
  return title !== '' || writer.characters() > before;
}

async function writeNotes(zip: ZipArchive, writer: MarkdownWriter, part: string): Promise<void> {
  const relationships = await readRelationships(zip, part);
  const handler = createSlideHandler(writer, { relationships, leftOut: new Set(everySlide) });
  let announced = false;
  await readXml(zip.chunks(part), {
    ...handler,
    open(name, attributes) {
      // The notes get one heading, before their first text.
      if (name === 't' && !announced) {
        announced = true;
        writer.begin({ kind: 'heading', level: 3 });
        writer.text('Notes');
        writer.end();
      }
      handler.open?.(name, attributes);
    },
  });
}

export const readPptx: ReadFormat = async (bytes, options) => {
  const zip = await openZipArchive(bytes);
  const writer = createMarkdownWriter(options.outputCharacters);
  const parts = await slideParts(zip, await findMainPart(zip, 'ppt/presentation.xml'));
  let hasText = false;
  for (const [index, part] of parts.entries()) {
    hasText = (await writeSlide(zip, writer, part, index + 1)) || hasText;
  }
  const result = hasText ? writer.finish() : { text: '', truncatedCharacters: 0 };
  return createConversion(result, { title: await readTitle(zip, 'docProps/core.xml'), pages: parts.length });
};
