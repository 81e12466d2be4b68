import { buildPage } from './build.ts';
import type { PageDocument, PageElement } from './dom.ts';
import { writeMarkdown } from './markdown.ts';

/** Above this, finding the article would hold the process for seconds; such a page is given whole. */
const articleWeight = 8_000;

const cutNotice = '[The page goes on; the rest was not read.]';

export interface ReadDocument {
  title: string | undefined;
  markdown: string;
}

/** The article of an HTML page as markdown, or all of the page where no article can be told from the rest. */
export async function readHtml(html: string, url: string, signal?: AbortSignal): Promise<ReadDocument> {
  const page = await buildPage(html, url, signal);
  const pageTitle = page.document.title.trim();
  const isSearched = page.weight <= articleWeight;
  const article = isSearched ? await readArticle(page.document) : undefined;
  // The search for an article takes its document apart.
  const whole = isSearched && !article ? await buildPage(html, url, signal) : page;
  const markdown = article?.markdown ?? (await writeMarkdown(whole.document.body));
  return {
    title: article?.title || pageTitle || undefined,
    markdown: page.isCut ? `${markdown}\n\n${cutNotice}`.trim() : markdown,
  };
}

async function readArticle(
  document: PageDocument,
): Promise<{ title: string | undefined; markdown: string } | undefined> {
  const { Readability } = await import('@mozilla/readability');
  const reader = new Readability<PageElement>(document as never, {
    serializer: (node) => node as unknown as PageElement,
    disableJSONLD: true,
  });
  const found = reader.parse();
  const markdown = found?.content ? await writeMarkdown(found.content) : '';
  return markdown === '' ? undefined : { title: found?.title?.trim(), markdown };
}
