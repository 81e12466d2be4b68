import type { HtmlHandler } from '@errand/text';
import { baseAddress, cleanAttributes } from './attributes.ts';

const pageDepth = 64;
const wrapperDepth = 48;

const withoutContent: ReadonlySet<string> = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'embed', 'canvas'],
  ...['video', 'audio', 'map', 'button', 'select', 'textarea', 'input', 'dialog'],
]);
const wrappers: ReadonlySet<string> = new Set([
  ...['div', 'span', 'section', 'font', 'center', 'main', 'article'],
]);
const unwrapped: ReadonlySet<string> = new Set(['html', 'head', 'body', 'base', 'link']);

interface FilterState {
  /** Names of open elements; undefined for elements that are not passed on. */
  open: (string | undefined)[];
  base: string;
  /** The depth of the element that is skipped with its content, or 0. */
  skippedFrom: number;
  isCut: boolean;
}

export interface PageFilter extends HtmlHandler {
  isCut(): boolean;
  /** Ends the page here: only the ends of open elements are passed on from now. */
  cut(): void;
  finish(): void;
}

/**
 * Passes on the readable part of a page, with absolute links and without scripts and form controls. Of elements that
 * are nested too deeply, only the text is passed on.
 */
export function createPageFilter(url: string, sink: HtmlHandler): PageFilter {
  const state: FilterState = { open: [], base: url, skippedFrom: 0, isCut: false };
  return {
    open(name, attributes) {
      if (name === 'base' && attributes.href) state.base = baseAddress(attributes.href, url) ?? state.base;
      const isPassed = passes(state, name);
      state.open.push(isPassed ? name : undefined);
      if (isPassed) sink.open(name, cleanAttributes(attributes, state.base));
      else if (state.skippedFrom === 0 && !state.isCut) sink.text(' ');
    },
    close() {
      closeElement(state, sink);
    },
    text(value) {
      if (state.skippedFrom === 0 && !state.isCut) sink.text(value);
    },
    isCut: () => state.isCut,
    cut() {
      state.isCut = true;
    },
    finish() {
      while (state.open.length > 0) closeElement(state, sink);
    },
  };
}

function passes(state: FilterState, name: string): boolean {
  if (state.skippedFrom > 0 || state.isCut) return false;
  const depth = state.open.length + 1;
  if (withoutContent.has(name)) state.skippedFrom = depth;
  else return !isFlat(name, depth);
  return false;
}

function isFlat(name: string, depth: number): boolean {
  const limit = wrappers.has(name) ? wrapperDepth : pageDepth;
  return depth > limit || unwrapped.has(name) || !/^[a-z][a-z0-9-]*$/.test(name);
}

function closeElement(state: FilterState, sink: HtmlHandler): void {
  const name = state.open.pop();
  if (name !== undefined) sink.close(name);
  if (state.open.length < state.skippedFrom) state.skippedFrom = 0;
}
