import { type Found, findPassages, type NearPassage, quoteOf } from '@errand/passages';
import { describeError, limits, ownTurn, sha256Hex } from '@errand/platform';
import type { Source } from '../data.ts';
import type { AgentDeps } from '../deps.ts';
import type { CitedClaim } from './cited-claims.ts';

type PassageDeps = Pick<AgentDeps, 'material' | 'owner' | 'log' | 'proof'>;

/** What a source says about a claim. */
export type Said = Pick<NearPassage, 'text' | 'place' | 'quote'>;

/** What the sources of a claim say about it, by their numbers. */
export interface ClaimPassages {
  /** The nearest passages, or what a search showed. */
  near: Map<number, Said>;
  /** What the model was shown of the sources that share no word with the claim, if the run proves its claims. */
  shown: Map<number, string>;
  /** More of the sources may have been shown, which is not read here: its place, its time or the bounds of a proof forbid it. */
  isUnread: boolean;
}

/**
 * For each claim the passages of its sources. A source that can no longer be read, or not in time, has no passages. Throws
 * only the signal's reason.
 */
export async function passagesOfClaims(
  deps: PassageDeps,
  sources: readonly Source[],
  claims: readonly CitedClaim[],
  signal: AbortSignal,
): Promise<ClaimPassages[]> {
  const passages = claims.map((): ClaimPassages => ({ near: new Map(), shown: new Map(), isUnread: false }));
  const limit = AbortSignal.timeout(limits.citationMilliseconds);
  for (const source of sources) {
    const { number, snippet } = source;
    const citing = [...claims.keys()].filter((i) => claims[i]!.sources.includes(number));
    if (citing.length === 0) continue;
    const texts = citing.map((i) => claims[i]!.text);
    const found = limit.aborted
      ? undefined
      : await passagesOf(deps, source, texts, AbortSignal.any([signal, limit]));
    for (const [at, i] of citing.entries()) {
      // Quotes take time on this thread: the limit, and other runs, have their turns in between.
      if (at % quotesInTurn === 0) await ownTurn();
      signal.throwIfAborted();
      const { near, shown } = passages[i]!;
      const nearest = found?.nearest[at];
      const quote = nearest || !snippet || limit.aborted ? undefined : quoteOf(snippet, texts[at]!);
      const says = nearest ?? (snippet && { text: snippet, quote });
      if (says) near.set(number, says);
      if (nearest === undefined && found?.shown) shown.set(number, found.shown);
      if (!found && mayBeShown(source)) passages[i]!.isUnread = true;
    }
  }
  boundShown(passages);
  return passages;
}

/** So many quotes of one source take a few milliseconds, and of a hostile one some hundred. */
const quotesInTurn = 20;

const mayBeShown = ({ kind, shown }: Source): boolean =>
  shown ? shown.length > 0 : kind !== 'result' && kind !== 'image';

/** Undefined if nothing of the source can be read. */
async function passagesOf(
  { material, owner, log, proof }: PassageDeps,
  source: Source,
  claims: readonly string[],
  signal: AbortSignal,
): Promise<Found | undefined> {
  if (source.material === undefined) return undefined;
  try {
    const packed = await material.read(source.material, signal);
    if (!packed) return undefined;
    const shown = proof && { numbers: source.shown, characters: limits.shownPerClaimCharacters };
    return await findPassages({ owner }, packed, { claims, shown }, signal);
  } catch (error) {
    log.warn('passages not found', describeError(error));
    return undefined;
  }
}

/** Holds what was shown to the bounds of a proof: its sources share what a claim may have, and later claims have nothing. */
function boundShown(passages: readonly ClaimPassages[]): void {
  const judged = passages.filter(({ shown }) => shown.size > 0);
  for (const [i, claim] of judged.entries()) {
    const characters = Math.floor(limits.shownPerClaimCharacters / claim.shown.size);
    for (const [number, text] of claim.shown)
      claim.shown.set(number, text.slice(0, characters).toWellFormed());
    if (i < limits.claimsProvedByShown) continue;
    claim.shown.clear();
    claim.isUnread = true;
  }
}

export const claimKey = (text: string, passage: string): string =>
  sha256Hex(JSON.stringify([text, passage])).slice(0, 32);

/** What the sources of a claim say about it together. */
export const passageText = ({ near, shown }: ClaimPassages): string =>
  [...[...near.values()].map(({ text }) => text), ...shown.values()].join('\n\n');
