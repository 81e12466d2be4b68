import { type PackedPassages, type Reading, readPassages, type Shown } from '@errand/passages';
import { density } from '../context/size.ts';

/**
 * What is shown of a material, as far as it has its room: some scripts need more tokens for as many characters, and what
 * does not fit whole is then shown as passages.
 */
export async function fitShown(
  deps: { owner?: string | undefined },
  { packed, shown }: { packed: PackedPassages; shown: Shown },
  reading: Reading,
  signal?: AbortSignal,
): Promise<Shown> {
  const { text, isWhole } = shown;
  if (!isWhole || text.length * density(text) <= reading.wholeCharacters) return shown;
  return readPassages(deps, packed, { ...reading, wholeCharacters: 0 }, signal);
}
