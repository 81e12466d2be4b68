import type { Citation, Source } from '../data.ts';
import type { AgentDeps } from '../deps.ts';
import type { CheckOf, Thinking } from '../state.ts';
import { type CitedClaim, citedClaims } from './cited-claims.ts';
import { claimKey, type passagesOfClaims, passageText, type Said } from './passages-of-claims.ts';
import { countUncited } from './uncited-sentences.ts';

const numbersOf = (sources: readonly Source[]): Set<number> => new Set(sources.map(({ number }) => number));

/** What the answer cites of the run's sources. Numbers of no source are text like any other. */
export const claimsOf = (answer: string, sources: readonly Source[]): CitedClaim[] =>
  sources.length === 0 ? [] : citedClaims(answer, numbersOf(sources));

/** How many of the answer's statements have figures or names and cite nothing. Undefined for a run without sources. */
export const uncitedIn = (answer: string, sources: readonly Source[]): number | undefined =>
  sources.length === 0 ? undefined : countUncited(answer, numbersOf(sources));

interface Citing<Claim> {
  claims: readonly Claim[];
  passagesOf: typeof passagesOfClaims;
}

/** The citations of claims, with the passages, and the probabilities of the claims that were proved. */
export async function citeClaims<Claim extends CitedClaim>(
  deps: AgentDeps,
  { sources, proven = {} }: Pick<CheckOf<Thinking>, 'sources' | 'proven'>,
  { claims, passagesOf }: Citing<Claim>,
  signal: AbortSignal,
): Promise<{ citations: Citation[]; supports: (number | undefined)[] }> {
  if (claims.length === 0) return { citations: [], supports: [] };
  const passages = await passagesOf(deps, sources, claims, signal);
  const supports = claims.map(
    ({ text }, i) => proven[claimKey(text, passageText(passages[i]!))] ?? undefined,
  );
  const near = passages.map((each) => each.near);
  return { citations: makeCitations(claims, sources, near, supports), supports };
}

/**
 * The citations of claims, a claim's in the order of its markers. `passages` and `supports` have one entry for each claim, in their order:
 * the passages of its sources by their numbers, and the probability that they support it.
 */
export function makeCitations(
  claims: readonly CitedClaim[],
  sources: readonly Source[],
  passages: readonly (ReadonlyMap<number, Said> | undefined)[],
  supports: readonly (number | undefined)[],
): Citation[] {
  const byNumber = new Map(sources.map((source) => [source.number, source]));
  return claims.flatMap(({ startIndex, endIndex, sources: cited }, i) =>
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
