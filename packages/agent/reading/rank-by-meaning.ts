import {
  type PackedPassages,
  type PackedVectors,
  type Reading,
  readPassages,
  type Shown,
  textsOfPassages,
  wordingsOf,
} from '@errand/passages';
import { describeError, type Log, limits } from '@errand/platform';
import type { FoundSource } from '../data.ts';
import type { Embedder } from '../embed-texts.ts';
import type { CallCost } from '../paid-calls.ts';
import { type KeptMaterial, tryToKeep, vectorsName } from './kept-material.ts';

interface MeaningDeps {
  log: Log;
  material: KeptMaterial;
  /** Absent without an embedding model. */
  embedder?: Embedder;
  /** The account whose threads share with those of others. */
  owner?: string;
  made: VectorsMade;
}

/** The vectors that were made in this process, or are being made, by the names under which they are kept. */
export type VectorsMade = Map<string, Promise<MadeVectors | undefined>>;

interface MadeVectors {
  /** Absent if they are kept. */
  vectors?: PackedVectors;
  /** Every answer of the turn has it, and the first that is committed is charged. */
  cost: CallCost;
}

/** A material of which passages were chosen by their words. */
interface ShownByWords {
  packed: PackedPassages;
  shown: Shown;
  source: FoundSource;
}

interface ShownByMeaning {
  shown: Shown;
  /** Says if vectors of its passages are kept. */
  source: FoundSource;
  costs: CallCost[];
}

/**
 * Chooses passages by their meaning too. Without an embedder, money or an answer of the model, and of a material with
 * very many passages, the passages that were chosen by words stay. Throws the signal's reason alone.
 */
export async function rankByMeaning(
  deps: MeaningDeps,
  { packed, shown, source }: ShownByWords,
  reading: Reading,
  signal: AbortSignal,
): Promise<ShownByMeaning> {
  const { embedder, log } = deps;
  const result: ShownByMeaning = { shown, source, costs: [] };
  const wordings = wordingsOf(reading);
  const named = source.material;
  const isPart = !shown.isWhole && reading.from === undefined;
  if (!embedder || !isPart || named === undefined || wordings.length === 0) return result;
  const name = vectorsName(named);
  const isKept = source.vectors === embedder.model;
  try {
    const made = isKept ? undefined : await makeOnce(deps, embedder, { name, packed }, signal);
    if (!isKept && !made) return result;
    if (made) result.costs.push(made.cost);
    if (!made?.vectors) result.source = { ...source, vectors: embedder.model };
    const passages = made?.vectors ?? (await deps.material.read(name, signal));
    const query = passages && (await embedder.embed(wordings, signal));
    if (!query) return result;
    result.costs.push(query.cost);
    const meaning = { passages, query: query.vectors };
    result.shown = await readPassages(deps, packed, { ...reading, wholeCharacters: 0, meaning }, signal);
  } catch (error) {
    signal.throwIfAborted();
    log.warn('passages not ranked by meaning', describeError(error));
  }
  return result;
}

interface Unranked {
  name: string;
  packed: PackedPassages;
}

/** Undefined if there are no vectors. */
async function makeOnce(
  deps: MeaningDeps,
  embedder: Embedder,
  unranked: Unranked,
  signal: AbortSignal,
): Promise<MadeVectors | undefined> {
  const { made } = deps;
  const { name } = unranked;
  const others = made.get(name);
  if (others) return others.catch(() => undefined);
  const making = make(deps, embedder, unranked, signal);
  made.set(name, making);
  const found = await making.catch((error: unknown) => {
    made.delete(name);
    throw error;
  });
  if (!found) made.delete(name);
  return found;
}

async function make(
  deps: MeaningDeps,
  embedder: Embedder,
  { name, packed }: Unranked,
  signal: AbortSignal,
): Promise<MadeVectors | undefined> {
  const texts = await textsOfPassages(deps, packed, limits.embeddedPassages, signal);
  const embedded = texts && (await embedder.embed(texts, signal));
  if (!embedded) return undefined;
  const { vectors, cost } = embedded;
  return (await tryToKeep(deps, name, vectors)) ? { cost } : { vectors, cost };
}
