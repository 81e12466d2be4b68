import { decodeText, htmlToMarkdown } from '@errand/text';
import { createConversion, type ReadFormat } from '../conversion.ts';

export const readHtml: ReadFormat = async (bytes, options) => {
  const { title, ...result } = htmlToMarkdown(decodeText(bytes, options.charset), options.outputCharacters);
  return createConversion(result, { title });
};
