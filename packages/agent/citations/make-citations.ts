import type { Citation, Source } from '../data.ts';
import { citedClaims } from './cited-claims.ts';

/**
 * The citations of an answer, a claim's in the order of its markers. `passages` and `supports` have one entry for each of
 * `citedClaims(answer)`, in their order: the passages of its sources by their numbers, and the probability that they support it.
 */
export function makeCitations(
  answer: string,
  sources: readonly Source[],
  passages: readonly (ReadonlyMap<number, string> | undefined)[],
  supports: readonly (number | undefined)[],
): Citation[] {
  const byNumber = new Map(sources.map((source) => [source.number, source]));
  return citedClaims(answer).flatMap(({ startIndex, endIndex, sources: cited }, i) =>
    cited.flatMap((number): Citation[] => {
      const source = byNumber.get(number);
      const named = source && nameOf(source);
      if (!named) return [];
      const passage = passages[i]?.get(number) ?? source.snippet;
      const support = supports[i];
      return [
        {
          ...named,
          startIndex,
          endIndex,
          passage,
          support,
        },
      ];
    }),
  );
}

function nameOf({ url, filename, title }: Source) {
  if (filename !== undefined) return { type: 'file_citation' as const, filename, title };
  if (url === undefined) return undefined;
  return { type: 'url_citation' as const, url, title: title ?? url };
}
