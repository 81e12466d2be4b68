import type { Citation, Source } from '../data.ts';
import type { AgentDeps } from '../deps.ts';
import type { CheckOf, Citing, Thinking } from '../state.ts';
import { citedClaims } from './cited-claims.ts';
import { makeCitations } from './make-citations.ts';
import { passagesOfClaims } from './passages-of-claims.ts';
import { claimKey, passageText } from './proven-claims.ts';
import { removeUnknown } from './remove-unknown.ts';

/** The answer without citations of sources that the run does not have. A run without sources may write what it likes. */
export const withKnownSources = (answer: string, sources: readonly Source[]): string =>
  sources.length === 0 ? answer : removeUnknown(answer, new Set(sources.map(({ number }) => number)));

/** What the answer cites, with the passages and, where there is a proof, its probabilities. */
export async function citeAnswer(
  deps: AgentDeps,
  { sources, proven = {} }: CheckOf<Thinking> | Citing,
  answer: string,
  signal: AbortSignal,
): Promise<Citation[]> {
  if (sources.length === 0) return [];
  const claims = citedClaims(answer);
  if (claims.length === 0) return [];
  const passages = await passagesOfClaims(deps, sources, claims, signal);
  const supports = claims.map(({ text }, i) => proven[claimKey(text, passageText(passages[i]!))]);
  return makeCitations(answer, sources, passages, supports);
}
