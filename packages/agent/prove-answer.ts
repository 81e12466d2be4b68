import type { RunDeps, WeakClaim } from './answer/answer-form.ts';
import { type ClaimPassages, claimKey, passageText } from './citations/passages-of-claims.ts';
import type { Proof } from './proof.ts';
import type { CheckOf, Citing, Progress, Thinking } from './state.ts';

type Checked = CheckOf<Thinking> | Citing;

interface ProvenAnswer<State> {
  state: State;
  /** The claims whose support is below the threshold. */
  weak: WeakClaim[];
  /** What the caller's own files say about these claims. */
  ownPassages: string[];
}

/**
 * Checks the answer's claims against their passages, but for those that are known from an earlier proof. A claim of whose
 * sources nothing was shown has no support, and asks nobody. Yields each pass as a piece of its own, so that no later trouble
 * can lose what was paid for. Returns the state after them.
 */
export async function* proveAnswer<State extends Checked>(
  deps: RunDeps & { proof: Proof },
  given: State,
  answer: string,
  signal: AbortSignal,
): AsyncGenerator<Progress, ProvenAnswer<State>> {
  const { proof, calls } = deps;
  let state = given;
  const claims = await passagesOf(deps, state, answer, signal);
  const unshown = claims.filter(({ passage }) => passage === '');
  const known = { ...state.proven, ...Object.fromEntries(unshown.map(({ key }) => [key, 0])) };
  state = { ...state, proven: known };
  const unknown = [...new Map(claims.map((claim) => [claim.key, claim])).values()].filter(
    ({ key }) => known[key] === undefined,
  );
  for await (const { positions, supports, cost } of unknown.length === 0
    ? []
    : proof.check(unknown, signal)) {
    const found = positions.map((at) => [unknown[at]!.key, supports.get(at) ?? null] as const);
    const passes = (state.proofPasses ?? 0) + 1;
    const costs = await calls.toCosts(state, `proof-${passes}`, [cost]);
    const proven = { ...state.proven, ...Object.fromEntries(found) };
    state = { ...state, proven, proofPasses: passes };
    yield { events: [], costs, state };
  }
  const weak = claims.filter(({ key }) => (state.proven?.[key] ?? 1) < proof.threshold);
  return {
    state,
    weak: weak.map(({ text, passage, pointer }) => ({ text, passage, pointer })),
    ownPassages: [...new Set(weak.flatMap(({ own }) => own))],
  };
}

/** The cited claims with what their sources say, but for those whose sources cannot be read. With what the caller's own files have of it. */
async function passagesOf(deps: RunDeps, state: Checked, answer: string, signal: AbortSignal) {
  const cited = deps.form.claimsOf(answer, state.sources);
  const passages = await deps.form.passagesOf(deps, state.sources, cited, signal);
  return cited.flatMap(({ text, pointer }, i) => {
    const passage = passageText(passages[i]!);
    const own = passagesOfFiles(state, passages[i]!);
    return passage === '' && passages[i]!.isUnread
      ? []
      : [{ text, passage, pointer, own, key: claimKey(text, passage) }];
  });
}

const passagesOfFiles = ({ sources }: Checked, { near, shown }: ClaimPassages): string[] =>
  sources.flatMap(({ number, filename }) =>
    filename === undefined ? [] : [near.get(number)?.text ?? [], shown.get(number) ?? []].flat(),
  );
