import type { Citation, Source } from '../data.ts';
import type { AgentDeps } from '../deps.ts';
import type { CheckOf, Citing, Thinking } from '../state.ts';
import { type CitedClaim, citedClaims } from './cited-claims.ts';
import { claimKey, passagesOfClaims, passageText, type Said } from './passages-of-claims.ts';
import { countUncited } from './uncited-sentences.ts';

const numbersOf = (sources: readonly Source[]): Set<number> => new Set(sources.map(({ number }) => number));

/** What the answer cites of the run's sources. Numbers of no source are text like any other. */
export const claimsOf = (answer: string, sources: readonly Source[]): CitedClaim[] =>
  sources.length === 0 ? [] : citedClaims(answer, numbersOf(sources));

/** How many of the answer's statements have figures or names and cite nothing. Undefined for a run without sources. */
export const uncitedIn = (answer: string, sources: readonly Source[]): number | undefined =>
  sources.length === 0 ? undefined : countUncited(answer, numbersOf(sources));

/** The answer's citations, with the passages and, if the answer was proved, the probabilities. */
export async function citeAnswer(
  deps: AgentDeps,
  { sources, proven = {} }: CheckOf<Thinking> | Citing,
  answer: string,
  signal: AbortSignal,
): Promise<Citation[]> {
  const claims = claimsOf(answer, sources);
  if (claims.length === 0) return [];
  const passages = await passagesOfClaims(deps, sources, claims, signal);
  const supports = claims.map(({ text }, i) => proven[claimKey(text, passageText(passages[i]!))]);
  const near = passages.map((each) => each.near);
  return makeCitations(answer, sources, near, supports);
}

/**
 * The citations of an answer, a claim's in the order of its markers. `passages` and `supports` have one entry for each of
 * `claimsOf(answer, sources)`, in their order: the passages of its sources by their numbers, and the probability that they support it.
 */
export function makeCitations(
  answer: string,
  sources: readonly Source[],
  passages: readonly (ReadonlyMap<number, Said> | undefined)[],
  supports: readonly (number | undefined)[],
): Citation[] {
  const byNumber = new Map(sources.map((source) => [source.number, source]));
  return claimsOf(answer, sources).flatMap(({ startIndex, endIndex, sources: cited }, i) =>
    cited.flatMap((number): Citation[] => {
      const source = byNumber.get(number);
      const named = source && nameOf(source);
      if (!named) return [];
      const { text = source.snippet, quote, place } = passages[i]?.get(number) ?? {};
      const at = { number, startIndex, endIndex };
      return [{ ...named, ...at, passage: text, quote, place, support: supports[i] }];
    }),
  );
}

function nameOf({ url, filename, title }: Source) {
  if (filename !== undefined) return { type: 'file_citation' as const, filename, title };
  if (url === undefined) return undefined;
  return { type: 'url_citation' as const, url, title: title ?? url };
}
