import { findPassages } from '@errand/passages';
import { describeError, limits, sha256Hex } from '@errand/platform';
import type { Source } from '../data.ts';
import type { AgentDeps } from '../deps.ts';
import type { CitedClaim } from './cited-claims.ts';

type PassageDeps = Pick<AgentDeps, 'material' | 'owner' | 'log'>;

/**
 * For each claim the passages of its sources that are nearest to it, by the numbers of the sources. A source that
 * can no longer be read, or not in time, has no passages. Throws only the signal's reason.
 */
export async function passagesOfClaims(
  deps: PassageDeps,
  sources: readonly Source[],
  claims: readonly CitedClaim[],
  signal: AbortSignal,
): Promise<Map<number, string>[]> {
  const passages = claims.map(() => new Map<number, string>());
  const limit = AbortSignal.timeout(limits.citationMilliseconds);
  for (const source of sources) {
    const citing = [...claims.keys()].filter((i) => claims[i]!.sources.includes(source.number));
    if (citing.length === 0) continue;
    const texts = citing.map((i) => claims[i]!.text);
    const found = limit.aborted
      ? []
      : await nearestPassages(deps, source, texts, AbortSignal.any([signal, limit]));
    signal.throwIfAborted();
    for (const [at, i] of citing.entries()) {
      const text = found[at] ?? source.snippet;
      if (text !== undefined) passages[i]!.set(source.number, text);
    }
  }
  return passages;
}

async function nearestPassages(
  { material, owner, log }: PassageDeps,
  source: Source,
  claims: readonly string[],
  signal: AbortSignal,
): Promise<(string | undefined)[]> {
  if (source.material === undefined) return [];
  try {
    const packed = await material.read(source.material, signal);
    if (!packed) return [];
    const found = await findPassages({ owner }, packed, claims, signal);
    return found.map((passage) => passage?.text);
  } catch (error) {
    log.warn('passages not found', describeError(error));
    return [];
  }
}

export const claimKey = (text: string, passage: string): string =>
  sha256Hex(JSON.stringify([text, passage])).slice(0, 32);

/** What the sources of a claim say about it together. */
export const passageText = (passages: ReadonlyMap<number, string>): string =>
  [...passages.values()].join('\n\n');
