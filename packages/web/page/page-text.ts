import type { PackedPassages, Reading, Shown } from '@errand/passages';
import { createOutputText, decodeText, headerCharset } from '@errand/text';
import type { ReadDocument } from './article.ts';
import { documentError, kindOfFetched } from './content-kind.ts';
import { withCutNotice } from './cut-notice.ts';

/** A page as its host sent it. */
export interface FetchedPage {
  bytes: Uint8Array;
  contentType: string | undefined;
  url: string;
}

export interface ReadPage {
  /** Where the page was read from, after redirects. */
  url: string;
  title?: string;
  /** All of its text, as markdown. */
  packed: PackedPassages;
  shown: Shown;
}

/** What the page's thread answers. */
export type PageOutcome = { page: Omit<ReadPage, 'url'> } | { reason: string };

/** The page's thread gets this. It loads no more than it needs, because each page waits for it. */
export interface PageTask extends FetchedPage {
  reading: Reading;
  maxCharacters: number;
}

/**
 * A fetched page as markdown, and any other text as it is. Runs in a thread of its own, without limits of time or
 * memory. Throws `FetchError` with the code `not_a_page`.
 */
export async function readPageText(task: Omit<PageTask, 'reading'>): Promise<ReadDocument> {
  const { bytes, contentType, url, maxCharacters } = task;
  const kind = kindOfFetched(contentType, bytes);
  if (kind === 'document') throw documentError();
  const text = decodeText(bytes, headerCharset(contentType));
  if (kind === 'html') {
    const { readHtml } = await import('./article.ts');
    return readHtml(text, url, maxCharacters);
  }
  const output = createOutputText(maxCharacters);
  output.push(text);
  const { text: kept, truncatedCharacters } = output.finish();
  return { title: undefined, markdown: truncatedCharacters > 0 ? withCutNotice(kept) : kept };
}
