import { limits, withChanges } from '@errand/platform';
import type { FoundSource, Source } from '../data.ts';

/**
 * The sources of the run with those that were found, and the numbers of the latter. An address keeps its first number. Past
 * 999 of them, a new one has no number: 0.
 */
export function numberSources(
  known: readonly Source[],
  found: readonly FoundSource[],
): { sources: Source[]; numbers: number[] } {
  if (found.length === 0) return { sources: [...known], numbers: [] };
  const byName = new Map(known.map((source) => [sourceName(source), source]));
  let last = known.reduce((most, { number }) => Math.max(most, number), 0);
  const numbers = found.map((one) => {
    const name = sourceName(one);
    const before = byName.get(name);
    if (!before && last >= limits.numberedSources) return 0;
    const number = before?.number ?? ++last;
    if (!before || one.kind !== 'result')
      byName.set(name, { ...withChanges<FoundSource>(before ?? one, one), number });
    return number;
  });
  return { sources: [...byName.values()], numbers };
}

/** The key that identifies a source: its address without the fragment, or the name of the attached file. */
const sourceName = ({ url, filename }: Pick<Source, 'url' | 'filename'>): string =>
  url === undefined ? `file:${filename}` : addressName(url);

export const addressName = (url: string): string => url.replace(/#.*$/s, '');

/** The label before a source that the model may cite. */
export const numberMark = (number: number | undefined): string => (number ? `[${number}] ` : '');
