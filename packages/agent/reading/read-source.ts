import { type PackedPassages, type Reading, readPassages, type Shown } from '@errand/passages';
import { describeError, type Log } from '@errand/platform';
import type { CallCost } from '../paid-calls.ts';
import { addressName, type FoundSource } from '../sources/number-sources.ts';
import { numberedAnswer } from '../sources/numbered-answer.ts';
import type { Source } from '../sources/source.ts';
import { type ToolAnswer, ToolError, type ToolInput } from '../tool.ts';
import { fitShown } from './fit-shown.ts';
import { type KeptMaterial, materialName, uploadMaterial } from './kept-material.ts';

/** What the model wants to read of a source. */
export type Asked = Pick<Reading, 'query' | 'from'>;

/** Reads a source by its address, or an attached file by its name. */
export type ReadSource = (address: string, asked: Asked, input: ToolInput) => Promise<ToolAnswer>;

/** What was read for the first time. */
export interface Opened {
  kind: 'page' | 'document' | 'transcript';
  packed: PackedPassages;
  shown: Shown;
  /** Where the address led to. */
  finalUrl?: string;
  /** It is not the caller's own file. */
  isOutside: boolean;
  costs?: CallCost[];
}

export type OpenSource = (address: string, reading: Reading, signal: AbortSignal) => Promise<Opened>;

interface Deps {
  log: Log;
  material: KeptMaterial;
  open: OpenSource;
  /** What the run reads for the first time now, by whatever tool, by its address. */
  opening: OpenReads;
  /** The account whose threads share with those of others. */
  owner?: string | undefined;
  /** The caller's own file, which may also be named by its link. */
  upload?: { filename: string; url?: string } | undefined;
}

export type OpenReads = Map<string, Promise<Kept>>;

interface Kept {
  source: FoundSource;
  packed: PackedPassages;
  finalUrl?: string | undefined;
}

/** What a run reads is kept. A second reading of it costs nothing and fetches nothing. */
export function createSourceReader(deps: Deps): ReadSource {
  const { opening } = deps;
  return async (given, asked, input) => {
    const address = given === deps.upload?.url ? deps.upload.filename : given;
    const reading: Reading = { ...asked, ...input.room, fallbackQuery: input.question };
    const name = addressName(address);
    let kept = await readKept(deps, address, input);
    // Nothing may come between the last look at what other calls open and the note that this one does.
    while (!kept && opening.has(name)) kept = await opening.get(name)?.catch(() => undefined);
    if (kept) {
      const shown = await readPassages(deps, kept.packed, reading, input.signal);
      return answer(kept, await fitShown(deps, { ...kept, shown }, reading, input.signal));
    }
    const opened = deps.open(address, reading, input.signal);
    const keeping = opened.then((read) => keep(deps, address, read));
    keeping.catch(() => {});
    opening.set(name, keeping);
    try {
      const { packed, shown, costs } = await opened;
      const fitting = await fitShown(deps, { packed, shown }, reading, input.signal);
      return { ...answer(await keeping, fitting), ...(costs && { costs }) };
    } finally {
      opening.delete(name);
    }
  };
}

/** What cannot be kept is shown and charged all the same. A second reading opens it again. */
async function keep({ material, log }: Deps, address: string, opened: Opened): Promise<Kept> {
  const { kind, packed, shown, finalUrl, isOutside } = opened;
  const name = isOutside ? materialName(addressName(address)) : uploadMaterial;
  const isKept = await material.keep(name, packed).then(
    () => true,
    (error: unknown) => {
      log.warn('material not kept', describeError(error));
      return false;
    },
  );
  const place = isOutside ? { url: address } : { filename: address };
  const { title } = shown;
  return {
    source: { kind, ...place, ...(title !== undefined && { title }), ...(isKept && { material: name }) },
    packed,
    finalUrl,
  };
}

async function readKept(
  { material, log }: Deps,
  address: string,
  { sources, signal }: ToolInput,
): Promise<Kept | undefined> {
  const source = sources.find((one) => isNamed(one, address));
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
  const { number: _, ...found } = source;
  return { source: found, packed };
}

const isNamed = ({ url, filename }: Source, address: string): boolean =>
  url === undefined ? filename === address : addressName(url) === addressName(address);

function answer({ source, finalUrl }: Kept, shown: Shown): ToolAnswer {
  const { text, cited } = numberedAnswer(source, shown.text, finalUrl);
  const isOutside = source.url !== undefined && { isOutside: true };
  if (source.kind !== 'transcript') return { text, cited, ...isOutside };
  return { text: shown.text, cited: { ...cited, forModelAlone: true }, ...isOutside };
}
