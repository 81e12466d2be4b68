import { type PackedPassages, type Reading, readPassages, type Shown } from '@errand/passages';
import { describeError, type Log } from '@errand/platform';
import type { FoundSource } from '../data.ts';
import type { Embedder } from '../embed-texts.ts';
import type { CallCost } from '../paid-calls.ts';
import { addressName } from '../sources/number-sources.ts';
import { numberedAnswer } from '../sources/numbered-answer.ts';
import { type ToolAnswer, ToolError, type ToolInput } from '../tool.ts';
import { fitShown } from './fit-shown.ts';
import { type KeptMaterial, materialName, tryToKeep, uploadMaterial } from './kept-material.ts';
import { rankByMeaning, type VectorsMade } from './rank-by-meaning.ts';

/** What the model wants to read of a source. */
type Asked = Pick<Reading, 'query' | 'from'>;

/** Reads a source by its address, or an attached file by its name. */
export type ReadSource = (address: string, asked: Asked, input: ToolInput) => Promise<ToolAnswer>;

/** The material that was read for the first time. */
export interface Opened {
  kind: 'page' | 'document' | 'transcript';
  packed: PackedPassages;
  shown: Shown;
  /** The address at which the redirects ended. */
  finalUrl?: string;
  /** True for every source but the caller's own file. */
  isOutside: boolean;
  costs?: CallCost[];
}

export type OpenSource = (address: string, reading: Reading, signal: AbortSignal) => Promise<Opened>;

interface Deps {
  log: Log;
  material: KeptMaterial;
  open: OpenSource;
  /** What the run's tools read in this process. */
  reads: Reads;
  /** The account whose threads share with those of others. */
  owner?: string;
  /** Absent without an embedding model. */
  embedder?: Embedder;
  /** The caller's own file, which may also be named by its link. */
  upload?: { filename: string; url?: string } | undefined;
}

/** By the names of addresses. */
interface Reads {
  opening: Map<string, Promise<Kept>>;
  /** What was opened and kept: calls of the same turn do not see it among the run's sources yet. */
  opened: Map<string, OpenedSource>;
  vectors: VectorsMade;
}

export const noReads = (): Reads => ({ opening: new Map(), opened: new Map(), vectors: new Map() });

interface OpenedSource {
  source: FoundSource;
  finalUrl?: string;
  /**
   * Every answer of the turn that reads the source has these costs. The first answer that is committed is charged.
   */
  costs?: CallCost[];
}

interface Kept extends OpenedSource {
  packed: PackedPassages;
}

/** What a run reads is kept. A second reading of it costs nothing and fetches nothing. */
export function createSourceReader(deps: Deps): ReadSource {
  const { opening, opened: known } = deps.reads;
  return async (given, asked, input) => {
    const address = given === deps.upload?.url ? deps.upload.filename : given;
    const reading: Reading = { ...asked, ...input.room, fallbackQuery: input.question };
    const name = addressName(address);
    let kept = await readKept(deps, address, input);
    // Nothing may come between the last look at what other calls open and the note that this one does.
    while (!kept && opening.has(name)) kept = await opening.get(name)?.catch(() => undefined);
    if (kept) {
      const shown = await readPassages(deps, kept.packed, reading, input.signal);
      return show(deps, { ...kept, shown }, reading, input.signal);
    }
    const opened = deps.open(address, reading, input.signal);
    const keeping = opened.then((read) => keep(deps, address, read));
    keeping.catch(() => {});
    opening.set(name, keeping);
    try {
      const { shown } = await opened;
      const { packed, ...done } = await keeping;
      if (done.source.material !== undefined) known.set(name, done);
      return await show(deps, { ...done, packed, shown }, reading, input.signal);
    } finally {
      opening.delete(name);
    }
  };
}

async function show(
  deps: Deps,
  { packed, shown: fetched, ...opened }: Kept & { shown: Shown },
  reading: Reading,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const fitted = await fitShown(deps, { packed, shown: fetched }, reading, signal);
  const { source, costs = [] } = opened;
  const byWords = { packed, shown: fitted, source };
  const ranked = await rankByMeaning({ ...deps, made: deps.reads.vectors }, byWords, reading, signal);
  return answer({ ...opened, source: ranked.source, costs: [...costs, ...ranked.costs] }, ranked.shown);
}

/** A second reading of what could not be kept opens it again. */
async function keep(deps: Deps, address: string, opened: Opened): Promise<Kept> {
  const { kind, packed, shown, finalUrl, isOutside, costs } = opened;
  const name = isOutside ? materialName(addressName(address)) : uploadMaterial;
  const isKept = await tryToKeep(deps, name, packed);
  const place = isOutside ? { url: address } : { filename: address };
  const { title } = shown;
  return {
    source: { kind, ...place, title, ...(isKept && { material: name }) },
    packed,
    finalUrl,
    costs,
  };
}

async function readKept(
  { material, log, reads }: Deps,
  address: string,
  { sources, signal }: ToolInput,
): Promise<Kept | undefined> {
  const opened = reads.opened.get(addressName(address));
  const source = opened?.source ?? sources.find((one) => isNamed(one, address));
  if (source?.material === undefined) return undefined;
  const packed = await material.read(source.material, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    log.warn('material not read', describeError(error));
    // A transcript would have to be paid for again.
    if (source.kind === 'transcript')
      throw new ToolError('What was read of it before cannot be reached at the moment. Try again.');
    return undefined;
  });
  if (!packed) return undefined;
  return { source, ...opened, packed };
}

const isNamed = ({ url, filename }: FoundSource, address: string): boolean =>
  url === undefined ? filename === address : addressName(url) === addressName(address);

function answer({ source, finalUrl, costs }: OpenedSource, shown: Shown): ToolAnswer {
  const { text, cited } = numberedAnswer({ ...source, shown: shown.shown }, shown.text, finalUrl);
  const more = { ...(source.url !== undefined && { isOutside: true }), costs };
  if (source.kind !== 'transcript') return { text, cited, ...more };
  return { text: shown.text, cited: { ...cited, forModelAlone: true }, ...more };
}
