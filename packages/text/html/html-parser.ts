import type { HtmlHandler } from './html-handler.ts';
import { NestingError } from './nesting-error.ts';

interface HtmlParser {
  /** Parses the next part of the page. Throws `NestingError`, after which nothing more can be written. */
  write(html: string): void;
  /** Closes the elements that are still open. */
  end(): void;
}

interface HtmlParserOptions {
  maximumDepth?: number;
  /** Whether the page is XHTML, where `<p/>` is an empty element. */
  xhtml?: boolean;
}

const defaultDepth = 3_000;

/**
 * Parses HTML in parts for a handler. The depth of elements is bounded, because the parser searches all open elements
 * for each closing tag.
 */
export async function createHtmlParser(
  handler: HtmlHandler,
  options: HtmlParserOptions = {},
): Promise<HtmlParser> {
  // The package is loaded on demand, because it is also bundled into functions that read no HTML.
  const { Parser } = await import('htmlparser2');
  const { maximumDepth = defaultDepth, xhtml = false } = options;
  let depth = 0;
  return new Parser(
    {
      onopentag(name, attributes) {
        depth++;
        if (depth > maximumDepth) throw new NestingError(`more than ${maximumDepth} elements deep`);
        handler.open(name, attributes);
      },
      onclosetag(name) {
        depth--;
        handler.close(name);
      },
      ontext: (value) => handler.text(value),
    },
    { recognizeSelfClosing: xhtml },
  );
}
