import { createConversion, type ReadFormat } from '../conversion.ts';
import { createHtmlReader } from '../html-events.ts';
import { createMarkdownWriter } from '../markdown-writer.ts';
import { decodeText, htmlCharset } from '../text-decoding.ts';

export const readHtml: ReadFormat = async (bytes, limits) => {
  const writer = createMarkdownWriter(limits.outputCharacters);
  const reader = createHtmlReader(writer);
  reader.read(decodeText(bytes, htmlCharset));
  return createConversion(writer.finish(), { title: reader.title() });
};
