import { createMarkdownWriter } from '@errand/text';
import { readTitle } from '../archive/read-title.ts';
import { readXml } from '../archive/read-xml.ts';
import { createConversion, type ReadFormat } from '../conversion.ts';
import { openOdf } from './open-odf.ts';
import { readOdfStyles } from './styles.ts';
import { createOdfTextHandler, type OdfNote, writeOdfNotes } from './text.ts';

export const readOdt: ReadFormat = async (bytes, options, extension) => {
  const zip = await openOdf(bytes, extension);
  const writer = createMarkdownWriter(options.outputCharacters);
  const notes: OdfNote[] = [];
  await readXml(zip.chunks('content.xml'), createOdfTextHandler(writer, await readOdfStyles(zip), notes));
  writeOdfNotes(writer, notes);
  return createConversion(writer.finish(), { title: await readTitle(zip, 'meta.xml') });
};
