/** A part of a text, in UTF-16 units; the end is exclusive. */
export interface Span {
  startIndex: number;
  endIndex: number;
}

/** Whether an odd number of backslashes stands before. */
export function isEscaped(text: string, index: number): boolean {
  let from = index;
  while (from > 0 && text[from - 1] === '\\') from--;
  return (index - from) % 2 === 1;
}

export const isBlank = (text: string, { startIndex, endIndex }: Span): boolean =>
  text.slice(startIndex, endIndex).trim() === '';
