import { decodeText, headerCharset } from '@errand/text';
import { type ReadDocument, readHtml } from './article.ts';
import { kindOfBytes, kindOfType } from './content-kind.ts';

/**
 * Converts a fetched page to markdown, and keeps any other text as it is. Uses only its arguments, so that it can run
 * in any thread. Throws `FetchError` with the code `not_a_page`, or the signal's reason.
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
