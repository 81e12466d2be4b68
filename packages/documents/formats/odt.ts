import { createConversion, type ReadFormat } from '../conversion.ts';
import { createMarkdownWriter } from '../markdown-writer.ts';
import { readTitle } from '../office/core-title.ts';
import { openOdf } from '../office/open-document.ts';
import { readXml } from '../xml-events.ts';
import { readOdfStyles } from './odf-styles.ts';
import { createOdfTextHandler, type OdfNote, writeOdfNotes } from './odf-text.ts';

export const readOdt: ReadFormat = async (bytes, options, extension) => {
  const zip = await openOdf(bytes, extension);
  const writer = createMarkdownWriter(options.outputCharacters);
  const notes: OdfNote[] = [];
  await readXml(zip.chunks('content.xml'), createOdfTextHandler(writer, await readOdfStyles(zip), notes));
  writeOdfNotes(writer, notes);
  return createConversion(writer.finish(), { title: await readTitle(zip, 'meta.xml') });
};
