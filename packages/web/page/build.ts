import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { cleanAttributes } from './attributes.ts';
import type { Page, PageDocument, PageElement } from './dom.ts';

/** The libraries that find an article take the square of a page's depth and links; these keep the worst near a second. */
export const pageElements = 30_000;
const pageDepth = 64;
const wrapperDepth = 48;
const openElements = 2_000;
const sliceCharacters = 65_536;

/** Written out as entities, of which each becomes a node when the text is parsed again. */
const escaped = /[&<>\u00a0]/g;

const withoutContent: ReadonlySet<string> = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'embed', 'canvas'],
  ...['video', 'audio', 'map', 'button', 'select', 'textarea', 'input', 'dialog'],
]);
const headElements: ReadonlySet<string> = new Set(['title', 'meta']);
const wrappers: ReadonlySet<string> = new Set([
  'div',
  'span',
  'section',
  'font',
  'center',
  'main',
  'article',
]);
const unwrapped: ReadonlySet<string> = new Set(['html', 'head', 'body', 'base', 'link']);

/**
 * A document of what there is to read on a page. Depth and size are bounded: what is nested deeper hangs from the last
 * element allowed, what comes after the last element is left out. Gives way to other work between slices.
 */
export async function buildPage(html: string, url: string, signal?: AbortSignal): Promise<Page> {
  const [{ parseHTML }, { Parser }] = await Promise.all([import('linkedom'), import('htmlparser2')]);
  const empty = '<!doctype html><html><head></head><body></body></html>';
  const page = createBuilder(parseHTML(empty).document as PageDocument, url);
  const parser = new Parser(page.handler, { decodeEntities: true });
  for (let start = 0; start < html.length && !page.isCut(); start += sliceCharacters) {
    parser.write(html.slice(start, start + sliceCharacters));
    await yieldToOthers();
    signal?.throwIfAborted();
  }
  if (!page.isCut()) parser.end();
  return page.finish();
}

function isFlat(name: string, depth: number): boolean {
  const limit = wrappers.has(name) ? wrapperDepth : pageDepth;
  return depth > limit || unwrapped.has(name) || !/^[a-z][a-z0-9-]*$/.test(name);
}

function createBuilder(document: PageDocument, url: string) {
  const open: PageElement[] = [document.body];
  let base = url;
  let text = '';
  let elements = 0;
  let escapes = 0;
  let skippedFrom = 0;
  let isCut = false;

  const flush = () => {
    escapes += text.match(escaped)?.length ?? 0;
    if (text !== '') open.at(-1)!.appendChild(document.createTextNode(text));
    text = '';
  };

  const openElement = (name: string, given: Record<string, string>): PageElement => {
    const parent = open.at(-1)!;
    if (elements >= pageElements || open.length > openElements) isCut = true;
    if (skippedFrom > 0 || isCut) return parent;
    flush();
    if (withoutContent.has(name)) {
      skippedFrom = open.length;
      return parent;
    }
    if (name === 'base' && given.href) base = URL.parse(given.href, url)?.href ?? base;
    if (isFlat(name, open.length)) {
      text += ' ';
      return parent;
    }
    const element = document.createElement(name);
    for (const [attribute, value] of cleanAttributes(given, base)) element.setAttribute(attribute, value);
    (headElements.has(name) ? document.head : parent).appendChild(element);
    elements += 1;
    return element;
  };
  const closeElement = () => {
    if (skippedFrom === 0) flush();
    open.pop();
    if (open.length <= skippedFrom) skippedFrom = 0;
  };

  return {
    isCut: () => isCut,
    handler: {
      onopentag: (name: string, given: Record<string, string>) => {
        open.push(openElement(name, given));
      },
      onclosetag: closeElement,
      ontext: (data: string) => {
        if (skippedFrom === 0 && !isCut) text += data;
      },
    },
    finish(): Page {
      flush();
      return { document, weight: elements + escapes, isCut };
    },
  };
}
