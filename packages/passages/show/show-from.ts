import type { PackedMaterial } from '../pack/open-packed.ts';
import type { Shown } from '../reading.ts';
import { fit, labelled } from './label.ts';

/** The passages from a number on, as many as fit, and how to read on. */
export function showFrom(
  material: PackedMaterial,
  from: number,
  characters: number,
): Pick<Shown, 'text' | 'shown'> {
  const { passages } = material;
  const first = Math.max(1, Math.floor(from));
  if (first > passages) {
    const text = `[There is no passage ${first}: this material has ${passages}, numbered from 1.]`;
    return { text: fit(text, characters), shown: [] };
  }
  const room = characters - readOn(passages, passages).length - 2;
  const texts: string[] = [];
  const shown: number[] = [];
  let length = 0;
  for (const passage of material.from(first)) {
    const text = labelled(passage, passages);
    if (length + text.length > room && shown.length > 0) break;
    texts.push(fit(text, room));
    shown.push(passage.number);
    length += text.length + 2;
  }
  texts.push(readOn(first + shown.length, passages));
  return { text: fit(texts.join('\n\n'), characters), shown };
}

const readOn = (next: number, passages: number): string =>
  next > passages
    ? `[This was the last of ${passages} passages.]`
    : `[To read on, ask for the passages from ${next} (from: ${next}). There are ${passages}.]`;
