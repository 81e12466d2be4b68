import { type PackedPassages, type Reading, readPassages, type Shown } from '@errand/passages';
import { addressName, type FoundSource } from '../sources/number-sources.ts';
import type { Source } from '../sources/source.ts';
import type { ToolAnswer, ToolInput } from '../tool.ts';
import { type KeptMaterial, materialName } from './kept-material.ts';
import type { OpenAddress } from './open-address.ts';

/** What the model wants to read of a source. */
export type Asked = Pick<Reading, 'query' | 'from'>;

/** Reads a source by its address, or an attached file by its name. */
export type ReadSource = (address: string, asked: Asked, input: ToolInput) => Promise<ToolAnswer>;

interface Deps {
  material: KeptMaterial;
  open: OpenAddress;
  /** The account whose threads share with those of others. */
  owner?: string | undefined;
}

interface Read {
  source: FoundSource;
  packed: PackedPassages;
  /** Where the address led to. */
  finalUrl?: string;
}

/** What a run reads is kept, and read from there the second time. */
export function createSourceReader(deps: Deps): ReadSource {
  /** Calls of one turn may name the same address. */
  const opening = new Map<string, Promise<Read>>();
  return async (address, asked, input) => {
    const reading: Reading = { ...input.room, ...asked, fallbackQuery: input.question };
    const kept = await readKept(deps, address, input);
    if (kept) return answer(kept, await show(deps, kept, reading, input));
    const name = addressName(address);
    const same = opening.get(name);
    if (same) {
      const read = await same;
      return answer(read, await show(deps, read, reading, input));
    }
    const opened = deps.open(address, reading, input.signal);
    const read = opened.then(({ packed, shown, kind, finalUrl }) => ({
      source: describe(address, kind, shown),
      packed,
      finalUrl,
    }));
    read.catch(() => {});
    opening.set(name, read);
    try {
      const done = await read;
      await deps.material.keep(done.source.material ?? '', done.packed);
      return answer(done, (await opened).shown);
    } finally {
      opening.delete(name);
    }
  };
}

const describe = (url: string, kind: 'page' | 'document', { title }: Shown): FoundSource => ({
  kind,
  url,
  ...(title !== undefined && { title }),
  material: materialName(addressName(url)),
});

async function readKept(
  { material }: Deps,
  address: string,
  { sources, signal }: ToolInput,
): Promise<Read | undefined> {
  const source = sources.find((one) => isNamed(one, address));
  const packed = source?.material === undefined ? undefined : await material.read(source.material, signal);
  if (!source || !packed) return undefined;
  const { number: _, ...found } = source;
  return { source: found, packed };
}

const isNamed = ({ url, filename }: Source, address: string): boolean =>
  url === undefined ? filename === address : addressName(url) === addressName(address);

const show = ({ owner }: Deps, { packed }: Read, reading: Reading, { signal }: ToolInput): Promise<Shown> =>
  readPassages({ owner }, packed, reading, signal);

function answer({ source, finalUrl }: Read, shown: Shown): ToolAnswer {
  const name = finalUrl ?? source.url ?? source.filename ?? '';
  const head = shown.title === undefined ? name : `${shown.title}\n${name}`;
  const write = (numbers: readonly number[]) => `[${numbers[0]}] ${head}\n\n${shown.text}`;
  return {
    text: write([1]),
    cited: { sources: [source], text: write },
    ...(source.url !== undefined && { isOutside: true }),
  };
}
