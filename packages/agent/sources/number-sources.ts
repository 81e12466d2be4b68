import type { Source } from './source.ts';

/** A source as a tool has found or read it. The run gives it its number. */
export type FoundSource = Omit<Source, 'number'>;

/** The sources of the run with those that were found, and the numbers of the latter. An address keeps its first number. */
export function numberSources(
  known: readonly Source[],
  found: readonly FoundSource[],
): { sources: Source[]; numbers: number[] } {
  const sources = [...known];
  const numbers = found.map((one) => {
    const at = sources.findIndex((source) => sourceName(source) === sourceName(one));
    const before = sources[at];
    const number = before?.number ?? Math.max(0, ...sources.map((source) => source.number)) + 1;
    if (!before) sources.push({ number, ...one });
    else if (one.kind !== 'result') sources[at] = { ...before, ...one };
    return number;
  });
  return { sources, numbers };
}

/** What tells one source from another: its address without the fragment, or the name of the attached file. */
export const sourceName = ({ url, filename }: Pick<Source, 'url' | 'filename'>): string =>
  url === undefined ? `file:${filename}` : addressName(url);

export const addressName = (url: string): string => url.replace(/#.*$/s, '');
