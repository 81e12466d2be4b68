import { createMarkdownWriter } from '@errand/text';
import { readTitle } from '../archive/read-title.ts';
import { readXml } from '../archive/read-xml.ts';
import { createConversion, type ReadFormat } from '../conversion.ts';
import { openOdf } from './open-odf.ts';
import { createSheetsHandler } from './sheet.ts';

export const readOds: ReadFormat = async (bytes, options, extension) => {
  const zip = await openOdf(bytes, extension);
  const writer = createMarkdownWriter(options.outputCharacters);
  const handler = createSheetsHandler(writer);
  await readXml(zip.chunks('content.xml'), handler);
  const result = handler.hasRows() ? writer.finish() : { text: '', truncatedCharacters: 0 };
  return createConversion(result, { title: await readTitle(zip, 'meta.xml') });
};
