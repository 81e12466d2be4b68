import { createMarkdownWriter, type MarkdownText } from '../markdown/markdown-writer.ts';
import { createHtmlHandler } from './html-handler.ts';
import { createHtmlParser } from './html-parser.ts';

/** Markdown of everything on a page, at most `limit` characters. Throws `NestingError`. */
export async function htmlToMarkdown(html: string, limit: number): Promise<MarkdownText & { title: string }> {
  const writer = createMarkdownWriter(limit);
  const handler = createHtmlHandler(writer);
  const parser = await createHtmlParser(handler);
  parser.write(html);
  parser.end();
  return { ...writer.finish(), title: handler.title() };
}
