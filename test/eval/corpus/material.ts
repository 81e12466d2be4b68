import type { Statement } from '../score/statements.ts';

/** Something that the local site serves, or that a task uploads. */
export interface Material {
  /** Begins with a slash. */
  path: string;
  title: string;
  contentType: string;
  bytes: Uint8Array;
  /** What a claim is held against: all that the material states. */
  states: readonly Statement[];
  /** Whether the search finds it. */
  isIndexed: boolean;
}

export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const slug = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

interface PageParts {
  path: string;
  title: string;
  /** Markup of the page's main part, below its heading. */
  body: string;
  states: readonly Statement[];
  isIndexed?: boolean;
}

export const makePage = ({ path, title, body, states, isIndexed = true }: PageParts): Material => ({
  path,
  title,
  contentType: 'text/html; charset=utf-8',
  bytes: Buffer.from(
    `<!doctype html><html lang="en"><head><title>${escapeMarkup(title)}</title></head><body><main><article>` +
      `<h1>${escapeMarkup(title)}</h1>\n${body}\n</article></main></body></html>`,
  ),
  states,
  isIndexed,
});

export const paragraph = (text: string): string => `<p>${escapeMarkup(text)}</p>`;
