import { openPacked, type PackedMaterial } from '../pack/open-packed.ts';
import type { PackedPassages } from '../passage.ts';
import type { Reading, Shown } from '../reading.ts';
import { showBest } from './show-best.ts';
import { showFrom } from './show-from.ts';

/** Shows what fits of a material. It may take seconds: other rooms call `readPassages`, or this within a thread. */
export function showPassages(packed: PackedPassages, reading: Reading): Shown {
  const material = openPacked(packed);
  const { title, passages, characters } = material;
  return { title: title || undefined, ...showPart(material, reading), passages, characters };
}

function showPart(material: PackedMaterial, reading: Reading): Pick<Shown, 'text' | 'isWhole' | 'shown'> {
  const { wholeCharacters, shownCharacters, from } = reading;
  if (from !== undefined) return { ...showFrom(material, from, shownCharacters), isWhole: false };
  if (material.characters <= wholeCharacters) return { ...showWhole(material), isWhole: true };
  return { ...showBest(material, reading), isWhole: false };
}

function showWhole(material: PackedMaterial): Pick<Shown, 'text' | 'shown'> {
  const sources: string[] = [];
  for (const { source } of material.from(1)) sources.push(source);
  return { text: sources.join(''), shown: sources.map((_, index) => index + 1) };
}
