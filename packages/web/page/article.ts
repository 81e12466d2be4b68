import {
  createHtmlHandler,
  createHtmlParser,
  createMarkdownWriter,
  type HtmlHandler,
  NestingError,
} from '@errand/text';
import { Readability } from '@mozilla/readability';
import { withCutNotice } from './cut-notice.ts';
import { createPageDocument, type PageDocument, type PageElement, walkElement } from './page-document.ts';
import { createPageFilter, type PageFilter } from './page-filter.ts';

const sliceCharacters = 65_536;
const openElements = 2_000;

export interface ReadDocument {
  title: string | undefined;
  markdown: string;
}

/**
 * An HTML page as markdown: its article, or the whole page if no article can be told from the rest. Links are relative
 * to `url`.
 */
export async function readHtml(
  html: string,
  url: string,
  maxCharacters = Number.POSITIVE_INFINITY,
): Promise<ReadDocument> {
  const whole = createMarkdown(maxCharacters);
  const document = createPageDocument();
  const filter = createPageFilter(url, both(whole.handler, document));
  await parse(html, filter);
  const searched = document.finish();
  const article = searched && readArticle(searched, maxCharacters);
  const { text, truncatedCharacters } = article?.markdown ?? whole.finish();
  return {
    title: article?.title || whole.handler.title() || undefined,
    markdown: filter.isCut() || truncatedCharacters > 0 ? withCutNotice(text) : text,
  };
}

async function parse(html: string, filter: PageFilter): Promise<void> {
  const parser = await createHtmlParser(filter, { maximumDepth: openElements });
  try {
    for (let start = 0; start < html.length && !filter.isCut(); start += sliceCharacters)
      parser.write(html.slice(start, start + sliceCharacters));
    if (!filter.isCut()) parser.end();
  } catch (error) {
    if (!(error instanceof NestingError)) throw error;
    filter.cut();
  }
  filter.finish();
}

function createMarkdown(maxCharacters: number) {
  const writer = createMarkdownWriter(maxCharacters);
  return { handler: createHtmlHandler(writer), finish: () => writer.finish() };
}

const both = (one: HtmlHandler, other: HtmlHandler): HtmlHandler => ({
  open(name, attributes) {
    one.open(name, attributes);
    other.open(name, attributes);
  },
  close(name) {
    one.close(name);
    other.close(name);
  },
  text(value) {
    one.text(value);
    other.text(value);
  },
});

/** Finds the article and takes it out of the document. The document is of no use afterwards. */
function readArticle(document: PageDocument, maxCharacters: number) {
  const reader = new Readability<PageElement>(document as never, {
    serializer: (node) => node as unknown as PageElement,
    disableJSONLD: true,
  });
  const found = reader.parse();
  if (!found?.content) return undefined;
  const { handler, finish } = createMarkdown(maxCharacters);
  walkElement(found.content, handler);
  const markdown = finish();
  return markdown.text === '' ? undefined : { title: found.title?.trim(), markdown };
}
