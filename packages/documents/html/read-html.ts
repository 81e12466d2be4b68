import { decodeText, htmlToMarkdown } from '@errand/text';
import { createConversion, type ReadFormat } from '../conversion.ts';

export const readHtml: ReadFormat = async (bytes, options) => {
  const html = decodeText(bytes, options.charset);
  const { title, ...result } = await htmlToMarkdown(html, options.outputCharacters);
  return createConversion(result, { title });
};
