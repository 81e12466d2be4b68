import { Parser } from 'htmlparser2';
import { DocumentError } from './document-error.ts';
import { createHtmlContext, type HtmlContext } from './html-context.ts';
import type { MarkdownWriter } from './markdown-writer.ts';
import type { Attributes } from './xml-events.ts';

const maximumDepth = 3_000;
const maximumSpan = 50;

const skippedElements = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'datalist',
]);
const blockElements = (
  'address article aside body caption center dd details dialog div dl dt fieldset figcaption figure footer form ' +
  'header hgroup hr html legend main menu nav p section summary tbody tfoot thead'
).split(' ');

function span(attributes: Attributes): number {
  return Math.min(Math.max(Number.parseInt(attributes.colspan ?? '1', 10) || 1, 1), maximumSpan);
}

type OpenElement = (context: HtmlContext, attributes: Attributes) => void;
type CloseElement = (context: HtmlContext) => void;

const headings = [1, 2, 3, 4, 5, 6];

const openers = new Map<string, OpenElement>([
  ...headings.map((level): [string, OpenElement] => [`h${level}`, (context) => context.openHeading(level)]),
  ['ul', (context) => context.openList(false, 1)],
  ['ol', (context, { start = '1' }) => context.openList(true, Number.parseInt(start, 10))],
  ['li', (context) => context.openItem()],
  ['pre', (context) => context.openCode()],
  ['blockquote', (context) => context.changeQuotes(1)],
  ['table', (context) => context.openTable()],
  ['tr', (context) => context.writer.openRow()],
  ['td', (context, attributes) => context.openCell(span(attributes))],
  ['th', (context, attributes) => context.openCell(span(attributes))],
  ['br', (context) => context.lineBreak()],
  ['img', (context, { alt, src }) => context.image(alt, src)],
  ['a', (context, { href }) => context.openLink(href)],
  ['b', (context) => context.changeBold(1)],
  ['strong', (context) => context.changeBold(1)],
  ['i', (context) => context.changeItalic(1)],
  ['em', (context) => context.changeItalic(1)],
  ...blockElements.map((name): [string, OpenElement] => [name, (context) => context.startBlock()]),
]);

const closers = new Map<string, CloseElement>([
  ...headings.map((level): [string, CloseElement] => [`h${level}`, (context) => context.closeHeading()]),
  ['ul', (context) => context.closeList()],
  ['ol', (context) => context.closeList()],
  ['li', (context) => context.closeItem()],
  ['pre', (context) => context.closeCode()],
  ['blockquote', (context) => context.changeQuotes(-1)],
  ['table', (context) => context.closeTable()],
  ['td', (context) => context.closeCell()],
  ['th', (context) => context.closeCell()],
  ['a', (context) => context.closeLink()],
  ['b', (context) => context.changeBold(-1)],
  ['strong', (context) => context.changeBold(-1)],
  ['i', (context) => context.changeItalic(-1)],
  ['em', (context) => context.changeItalic(-1)],
  ...blockElements.map((name): [string, CloseElement] => [name, (context) => context.startBlock()]),
]);

/** Streams HTML, or the XHTML of a book's chapter, into a writer. */
export function createHtmlReader(writer: MarkdownWriter): {
  read(html: string, options?: { xhtml: boolean }): void;
  title(): string;
} {
  let title = '';

  function read(html: string, options = { xhtml: false }): void {
    const context = createHtmlContext(writer);
    let depth = 0;
    let skippedFrom = 0;
    let inTitle = false;
    const firstTitle = title === '';
    const parser = new Parser(
      {
        onopentag(name, attributes) {
          depth += 1;
          if (depth > maximumDepth)
            throw new DocumentError('broken', 'The file is nested too deeply to be read.');
          if (skippedFrom) return;
          if (skippedElements.has(name) || 'hidden' in attributes) skippedFrom = depth;
          else if (name === 'title') inTitle = true;
          else openers.get(name)?.(context, attributes);
        },
        onclosetag(name) {
          const skipped = skippedFrom > 0;
          if (skippedFrom === depth) skippedFrom = 0;
          depth -= 1;
          if (skipped) return;
          if (name === 'title') inTitle = false;
          else closers.get(name)?.(context);
        },
        ontext(value) {
          if (skippedFrom) return;
          if (inTitle) title += firstTitle ? value : '';
          else if (depth > 0 || value.trim()) context.text(value);
        },
      },
      { recognizeSelfClosing: options.xhtml },
    );
    parser.write(html);
    parser.end();
    writer.end();
  }

  return { read, title: () => title };
}
