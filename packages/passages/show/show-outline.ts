import type { Outline } from '../pack/outline.ts';
import { type OutlineEntry, thinner } from '../pack/outline.ts';

/** The share of the room that the outline must use. If it would use less without the deepest level, some headings of that level stay. */
const leastUsed = 0.5;

/** Drops every other heading of the deepest level. */
function everyOther(entries: readonly OutlineEntry[]): OutlineEntry[] {
  const deepest = Math.max(...entries.map(({ level }) => level));
  let met = 0;
  return entries.filter(({ level }) => level < deepest || met++ % 2 === 0);
}

/** The outline in at most `characters`, or nothing if the material has no headings. */
export function showOutline({ entries, headings }: Outline, characters: number): string {
  let kept = [...entries];
  let text = written(kept, headings);
  while (text.length > characters && kept.length > 1) {
    const fewer = thinner(kept).entries;
    const isSparse = written(fewer, headings).length < characters * leastUsed;
    kept = isSparse ? everyOther(kept) : fewer;
    text = written(kept, headings);
  }
  return kept.length > 0 && text.length <= characters ? text : '';
}

function written(entries: readonly OutlineEntry[], headings: number): string {
  const top = entries.reduce((least, { level }) => Math.min(least, level), 6);
  const lines = entries.map(({ level, title, passage }) => `${'  '.repeat(level - top)}${passage}: ${title}`);
  const some = entries.length < headings ? ` (${entries.length} of ${headings} headings)` : '';
  return [`[Outline${some}, with the passage in which each heading begins]`, ...lines].join('\n');
}
