import { isEscaped, type Span } from './span.ts';

export interface Marker extends Span {
  /** The numbers of the sources, in the marker's order, each once. */
  numbers: number[];
}

/** Longer ones are years and amounts. */
const number = '[1-9]\\d{0,2}';
const item = `${number}(?:\\s?[-\u2013]\\s?${number})?`;
const markerPattern = new RegExp(`\\[ ?${item}(?: ?[,;] ?${item})* ?\\]`, 'g');

/** A wider range is no list of sources. */
const widestRange = 32;

/** What looks like a marker in a part of the text, wherever it stands. */
export function readMarkers(text: string, { startIndex, endIndex }: Span): Marker[] {
  return [...text.slice(startIndex, endIndex).matchAll(markerPattern)].flatMap((found) => {
    const start = startIndex + found.index;
    const numbers = numbersOf(found[0]);
    if (!numbers || isEscaped(text, start) || isInAddress(text, start, start + found[0].length)) return [];
    return [{ startIndex: start, endIndex: start + found[0].length, numbers }];
  });
}

/** The items between the brackets, such as `1` and `4-6`. */
export const itemsOf = (marker: string): string[] =>
  marker
    .slice(1, -1)
    .split(/[,;]/)
    .map((text) => text.trim());

/** The numbers of one item. Undefined for a range that is none. */
export function expandItem(text: string): number[] | undefined {
  const [first = 0, last = first] = text.split(/[-\u2013]/).map(Number);
  if (last < first || last - first >= widestRange) return undefined;
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function numbersOf(marker: string): number[] | undefined {
  const numbers = new Set<number>();
  for (const text of itemsOf(marker)) {
    const expanded = expandItem(text);
    if (!expanded) return undefined;
    for (const each of expanded) numbers.add(each);
  }
  return [...numbers];
}

const longestAddress = 300;

/** Whether an address goes on behind the brackets, such as `https://example.com/?row[1]=2`. */
function isInAddress(text: string, startIndex: number, endIndex: number): boolean {
  if (!/[\w=&%/#]/.test(text[endIndex] ?? '')) return false;
  return /https?:\/\/\S*$/i.test(text.slice(Math.max(0, startIndex - longestAddress), startIndex));
}
