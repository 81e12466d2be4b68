/** What begins and what ends a part of a page that a program writes. */
export type Marks = readonly [begin: string, end: string];

interface Part {
  /** With the mark that begins the part. */
  before: string;
  inside: string;
  /** With the mark that ends it. */
  after: string;
}

/** A part of a page's text. Throws unless each mark is there once, in this order: a page must never be written twice. */
export function partOf(text: string, [begin, end]: Marks): Part {
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end);
  const isOnce = (mark: string) => text.split(mark).length === 2;
  if (!isOnce(begin) || !isOnce(end) || to < from)
    throw new Error(`the page must have these marks once each: ${begin.trim()} ${end.trim()}`);
  return { before: text.slice(0, from), inside: text.slice(from, to), after: text.slice(to) };
}
