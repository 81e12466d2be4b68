import type { CutPassage } from '../passage.ts';

/** A heading with the number of the passage in which it begins. */
export interface OutlineEntry {
  level: number;
  title: string;
  passage: number;
}

export interface Outline {
  entries: readonly OutlineEntry[];
  /** All headings of the material. */
  headings: number;
}

const mostEntries = 2_000;

/** Collects the headings of passages. Of very many, those of the deepest levels are left out, then every other one. */
export function collectOutline() {
  let entries: OutlineEntry[] = [];
  let headings = 0;
  let deepest = Number.POSITIVE_INFINITY;
  /** One in so many of the remaining headings is kept. */
  let stride = 1;
  let passed = 0;
  return {
    add(passage: number, { begins = [] }: Pick<CutPassage, 'begins'>): void {
      for (const { level, title } of begins) {
        headings++;
        if (level > deepest || passed++ % stride !== 0) continue;
        entries.push({ level, title, passage });
        if (entries.length < mostEntries) continue;
        const fewer = thinner(entries);
        if (fewer.deepest === undefined) stride *= 2;
        else deepest = fewer.deepest;
        entries = fewer.entries;
      }
    },
    finish: (): Outline => ({ entries, headings }),
  };
}

/** Fewer entries: the deepest level is dropped, or every other entry if all have the same level. */
export function thinner(entries: readonly OutlineEntry[]): { entries: OutlineEntry[]; deepest?: number } {
  const levels = entries.map(({ level }) => level);
  const deepest = levels.reduce((one, other) => Math.max(one, other), 0);
  const left = entries.filter(({ level }) => level < deepest);
  if (left.length === 0) return { entries: entries.filter((_, index) => index % 2 === 0) };
  return { entries: left, deepest: deepest - 1 };
}
