import { createConversion, type ReadFormat } from '../conversion.ts';
import { createHtmlReader } from '../html-events.ts';
import { createMarkdownWriter } from '../markdown-writer.ts';
import { decodeText, htmlCharset } from '../text-decoding.ts';

export const readHtml: ReadFormat = async (bytes, options) => {
  const writer = createMarkdownWriter(options.outputCharacters);
  const reader = createHtmlReader(writer);
  reader.read(decodeText(bytes, { ...options, declared: htmlCharset }));
  return createConversion(writer.finish(), { title: reader.title() });
};
