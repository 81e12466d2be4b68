import type { MarkdownWriter } from '../markdown/markdown-writer.ts';
import { type Attributes, htmlElements, skippedElements } from './html-elements.ts';
import { startOfPage, writeText } from './html-position.ts';

/** Receives the elements and texts of a page in their order. Names are in lower case. Every element is closed. */
export interface HtmlHandler {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text(value: string): void;
}

/** Writes the elements and texts of a page as markdown. They come from a parser, or from a walk over a document. */
export function createHtmlHandler(writer: MarkdownWriter): HtmlHandler & { title(): string } {
  const position = startOfPage(writer);
  let depth = 0;
  /** The depth of the element that is being skipped, or 0. */
  let skippedFrom = 0;
  let titleDepth = 0;
  let title = '';
  let hasTitle = false;
  return {
    open(name, attributes) {
      depth++;
      if (skippedFrom > 0) return;
      if (skippedElements.has(name) || 'hidden' in attributes) skippedFrom = depth;
      else if (name === 'title') titleDepth ||= depth;
      else htmlElements.get(name)?.open?.(position, attributes);
    },
    close(name) {
      const isSkipped = skippedFrom > 0;
      if (skippedFrom === depth) skippedFrom = 0;
      if (titleDepth === depth) {
        titleDepth = 0;
        hasTitle ||= title.trim() !== '';
      }
      depth--;
      if (!isSkipped && name !== 'title') htmlElements.get(name)?.close?.(position);
    },
    text(value) {
      if (skippedFrom > 0) return;
      if (titleDepth > 0) title += hasTitle ? '' : value;
      else if (depth > 0 || value.trim()) writeText(position, value);
    },
    title: () => title.replace(/\s+/g, ' ').trim(),
  };
}
