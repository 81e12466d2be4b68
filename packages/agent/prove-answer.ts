import { citedClaims } from './citations/cited-claims.ts';
import { passagesOfClaims } from './citations/passages-of-claims.ts';
import { claimKey, type ProvenClaims, passageText } from './citations/proven-claims.ts';
import type { AgentDeps } from './deps.ts';
import type { CheckedClaim, Proof } from './proof.ts';
import type { AgentState, Cost } from './state.ts';

export interface ProvenAnswer {
  proven: ProvenClaims;
  /** Those that are under the threshold. */
  weak: CheckedClaim[];
  /** What the caller's own files say about these. */
  ownPassages: string[];
  costs: Cost[];
}

/** Checks the answer's claims against their passages, but for those that are known from an earlier proof. */
export async function proveAnswer(
  deps: AgentDeps & { proof: Proof },
  state: AgentState,
  answer: string,
  signal: AbortSignal,
): Promise<ProvenAnswer> {
  const cited = citedClaims(answer);
  const passages = await passagesOfClaims(deps, state.sources, cited, signal);
  const claims = cited.flatMap(({ text }, i) => {
    const passage = passageText(passages[i]!);
    const own = passagesOfFiles(state, passages[i]!);
    return passage === '' ? [] : [{ text, passage, own, key: claimKey(text, passage) }];
  });
  const before = state.proven ?? {};
  const unknown = [
    ...new Map(
      claims.filter(({ key }) => before[key] === undefined).map((claim) => [claim.key, claim]),
    ).values(),
  ];
  const { supports, costs } =
    unknown.length === 0 ? { supports: [], costs: [] } : await deps.proof.check(unknown, signal);
  const found = unknown.flatMap(({ key }, i) => {
    const support = supports[i];
    return support === undefined ? [] : [[key, support] as const];
  });
  const proven = { ...before, ...Object.fromEntries(found) };
  const weak = claims.filter(({ key }) => (proven[key] ?? 1) < deps.proof.threshold);
  return {
    proven,
    weak: weak.map(({ text, passage }) => ({ text, passage })),
    ownPassages: [...new Set(weak.flatMap(({ own }) => own))],
    costs: await deps.calls.toCosts(state, `proof-${state.completions}`, costs),
  };
}

const passagesOfFiles = ({ sources }: AgentState, passages: ReadonlyMap<number, string>): string[] =>
  sources.flatMap(({ number, filename }) => (filename === undefined ? [] : (passages.get(number) ?? [])));
