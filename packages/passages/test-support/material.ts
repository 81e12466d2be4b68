import { packPassages } from '../pack/pack-passages.ts';
import type { CutPassage, Place } from '../passage.ts';
import type { Reading, Shown } from '../reading.ts';
import { showPassages } from '../show/show-passages.ts';
import { splitPassages } from '../split/split-passages.ts';

export const split = (
  text: string,
  more: { places?: readonly Place[]; heading?: string } = {},
): CutPassage[] => [...splitPassages(text, more)];

export const pack = (text: string) => packPassages({ passages: splitPassages(text) });

/** What is shown of a text that is too long to be shown whole. */
export const show = (text: string, reading: Partial<Reading> = {}): Shown =>
  showPassages(pack(text), { wholeCharacters: 0, shownCharacters: 10_000, ...reading });

/** A report of chapters, each with a paragraph of about a thousand characters that has its number in words. */
export function report(chapters: number): string {
  const chapter = (_: unknown, index: number) => {
    const sentence = `The harbour of chapter ${index + 1} took ships with cargo from the north. `;
    return `## Chapter ${index + 1}\n\n${sentence.repeat(15).trim()}`;
  };
  return Array.from({ length: chapters }, chapter).join('\n\n');
}
