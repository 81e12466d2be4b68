import type { PackedMaterial } from '../pack/open-packed.ts';
import type { Passage } from '../passage.ts';
import { type Reading, type Shown, wordingsOf } from '../reading.ts';
import { fuseRanks } from '../search/fuse-ranks.ts';
import { rankPassages } from '../search/rank-passages.ts';
import { rankByMeaning } from '../vectors/pack-vectors.ts';
import { fit, labelled } from './label.ts';
import { showOutline } from './show-outline.ts';

const outlineShare = 0.2;
/** The number of passages that may be skipped for their size before the search for a fitting one ends. */
const misses = 5;
const leastUseful = 200;

const more =
  '[To see other passages, give a query (those that fit it best) or from (a number to read on from).]';

/** The outline and the passages that fit the query best, in the order of the material; without a query, the first. */
export function showBest(material: PackedMaterial, reading: Reading): Pick<Shown, 'text' | 'shown'> {
  const { shownCharacters } = reading;
  const wordings = wordingsOf(reading);
  const ranked = wordings.length === 0 ? [] : rank(material, wordings, reading);
  const intro = introduce(material, reading, wordings.length > 0, ranked.length);
  const outline = showOutline(material.outline, Math.floor(shownCharacters * outlineShare));
  const frame = [intro, outline, more].filter(Boolean);
  const room = shownCharacters - frame.reduce((sum, { length }) => sum + length + 2, 0);
  const numbers = ranked.length > 0 ? ranked : firstNumbers(material.passages);
  const chosen = chooseFitting(material, numbers, room, ranked.length > 0);
  const texts = [intro, outline, ...chosen.map(({ text }) => text), more].filter(Boolean);
  return {
    text: fit(texts.join('\n\n'), shownCharacters),
    shown: chosen.map(({ number }) => number),
  };
}

function rank(material: PackedMaterial, wordings: readonly string[], { meaning }: Reading): number[] {
  const byMeaning = meaning ? rankByMeaning(meaning.passages, meaning.query) : [];
  return fuseRanks([...rankPassages(material.from(1), wordings), ...byMeaning]);
}

function introduce(
  { passages, characters }: PackedMaterial,
  { query }: Reading,
  isAsked: boolean,
  found: number,
): string {
  const size = `This material has ${passages} passages (${characters} characters), more than can be shown at once.`;
  const asked = query === undefined ? 'question' : 'query';
  if (!isAsked) return `[${size} These are the first.]`;
  if (found === 0) return `[${size} No passage has a word of the ${asked}, so these are the first.]`;
  return `[${size} These fit the ${asked} best.]`;
}

function* firstNumbers(passages: number): Generator<number> {
  for (let number = 1; number <= passages; number++) yield number;
}

/** The passages that fit into `room`, by rank, then sorted. A better one that does not fit may make way for others. */
function chooseFitting(
  material: PackedMaterial,
  numbers: Iterable<number>,
  room: number,
  maySkip: boolean,
): { number: number; text: string }[] {
  const chosen: { number: number; text: string }[] = [];
  let left = room;
  let missed = 0;
  for (const number of numbers) {
    const passage = passageAt(material, number);
    const text = labelled(passage, material.passages);
    if (text.length > left && chosen.length === 0 && left >= leastUseful)
      return [{ number, text: fit(text, left) }];
    if (text.length > left) missed++;
    else {
      chosen.push({ number, text });
      left -= text.length + 2;
    }
    if (left < leastUseful || missed > (maySkip ? misses : 0)) break;
  }
  return chosen.toSorted((one, other) => one.number - other.number);
}

const passageAt = (material: PackedMaterial, number: number): Passage => material.from(number).next().value!;
