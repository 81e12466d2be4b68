import { limits, withChanges } from '@errand/platform';
import type { FoundSource, Source } from '../data.ts';

/**
 * The sources of the run with those that were found, and the numbers of the latter. A page keeps its first number and the
 * first spelling of its address. Past 999 of them, a new one has no number: 0.
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
    if (!before || one.kind !== 'result') {
      const shown = one.shown && [...new Set([...one.shown, ...(before?.shown ?? [])])].slice(0, mostShown);
      const { url } = before ?? one;
      byName.set(name, { ...withChanges<FoundSource>(before ?? one, { ...one, url, shown }), number });
    }
    return number;
  });
  return { sources: [...byName.values()], numbers };
}

/** More of them than what is judged of a source holds. */
const mostShown = 100;

/** The key that identifies a source: the name of its address, or that of the attached file. */
const sourceName = ({ url, filename }: Pick<Source, 'url' | 'filename'>): string =>
  url === undefined ? `file:${filename}` : addressName(url);

/** The same for every spelling of a page's address: with http or https, `www.`, a slash at the end, a fragment, `utm_` fields. */
export function addressName(address: string): string {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return address.replace(/#.*$/s, '');
  const fields = url.search.slice(1).split('&');
  const query = fields.filter((field) => field !== '' && !/^utm_/i.test(field)).join('&');
  return `${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}${query && `?${query}`}`;
}

/** The label before a source that the model may cite. */
export const numberMark = (number: number | undefined): string => (number ? `[${number}] ` : '');
