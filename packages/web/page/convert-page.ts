import { decodeText, headerCharset } from '@errand/text';
import { type ReadDocument, readHtml } from './article.ts';
import { kindOfBytes, kindOfType } from './content-kind.ts';

/**
 * A fetched page as markdown, and any other text as it is. Needs nothing but what it is given. Throws `not_a_page` for
 * what is no page, and the signal's reason.
 */
export async function convertPage(
  page: { bytes: Uint8Array; contentType: string | undefined; url: string },
  signal?: AbortSignal,
): Promise<ReadDocument> {
  const { bytes, contentType, url } = page;
  const kind = kindOfBytes(bytes, kindOfType(contentType));
  const text = decodeText(bytes, headerCharset(contentType));
  return kind === 'text' ? { title: undefined, markdown: text } : readHtml(text, url, signal);
}
