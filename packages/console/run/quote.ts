import type { Citation, Mark } from '../markdown/marks.ts';
import { safeAddress } from '../markdown/safe-address.ts';

/** The pieces of a markdown text: its signs, which keep their meaning, and in a group the words between them. */
const pieces =
  /\n[\s>]*(?:(?:[-+*]|\d{1,9}[.)]|#{1,6})\s+)?|\]\([^)\n]*\)|&#?\w+;|\\.|[*_`|~[\]<>\\&]|([^*_`|~[\]<>\\&\n]+)/g;
const hasWord = /[\p{L}\p{N}]/u;

/** The quoted words of a passage, so that markdown within them is still drawn as such. */
export function quoteMarks({ passage = '', quote = '' }: Citation): Mark[] {
  const from = passage.indexOf(quote);
  if (quote === '' || from < 0) return [];
  return [...quote.matchAll(pieces)].flatMap(({ 1: words = '', index }) => {
    const text = words.trim();
    return hasWord.test(text) ? [{ at: from + index + words.indexOf(text), length: text.length, text }] : [];
  });
}

/** The words of a markdown text as a page shows them, on one line. */
export const plainWords = (text: string): string =>
  text
    .replaceAll(/!\[[^\]\n]*\]\([^)\n]*\)/g, ' ')
    .replaceAll(/\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replaceAll(/^[\s>]*(?:(?:[-+*]|\d{1,9}[.)]|#{1,6})\s+)?/gm, '')
    .replaceAll(/\\([^\w\s])/g, '$1')
    .replaceAll(/\*\*|__|[*`|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/**
 * Where a source is read: a page at the quoted words (a text fragment, wicg.github.io/scroll-to-text-fragment), a PDF at its
 * page. Undefined for files, and for addresses that no browser opens as a page.
 */
export function linkToWords(citation: Citation): string | undefined {
  if (citation.type !== 'url_citation') return undefined;
  const href = safeAddress(citation.url);
  if (!href || !/^https?:/.test(href)) return undefined;
  const [address = '', fragment = ''] = href.split(/#(.*)/s);
  const page = citation.place?.match(/^page (\d+)/)?.[1];
  if (page) return `${address}#page=${page}`;
  const directive = citation.quote && textDirective(citation.quote);
  return directive ? `${address}#${fragment.replace(/:~:.*/s, '')}:~:text=${directive}` : href;
}

const wholeCharacters = 80;
const edgeWords = 5;

/** Short words as they are, long ones by their beginning and end. Words of several blocks match in this second form alone. */
function textDirective(quote: string): string | undefined {
  const blocks = quote
    .split(/[\n|]/)
    .map(plainWords)
    .filter((block) => hasWord.test(block));
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const words = first.split(' ');
  const isShort = first.length <= wholeCharacters || words.length <= 2 * edgeWords;
  if (blocks.length === 1 && isShort) return encode(first);
  const end = last.split(' ').slice(-edgeWords);
  return `${encode(words.slice(0, edgeWords).join(' '))},${encode(end.join(' '))}`;
}

/** A dash and a comma have a meaning in a directive. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll('-', '%2D');
