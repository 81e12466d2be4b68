import type { Noise } from '../noise.ts';
import type { Written } from './write.ts';

type Fields = Record<string, unknown>;

/** Values as careless models write them. */
const ways: readonly ((fields: Fields) => Fields)[] = [
  (fields) => ({ ...fields, note: 'As far as I can tell.' }),
  (fields) => Object.fromEntries(Object.entries(fields).slice(1)),
  (fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [
        key,
        typeof value === 'number' ? `about ${value}` : value,
      ]),
    ),
];

/** The value in a form that its schema does not allow: with a field too many or too few, or with words for figures. */
export function misshape({ value, sources }: Written, noise: Noise, place: number): Written {
  const changed = noise.pick(ways, `form ${place}`)(value as Fields);
  // A value without figures stays as it was.
  const isSame = JSON.stringify(changed) === JSON.stringify(value);
  return { value: isSame ? ways[0]!(value as Fields) : changed, sources };
}
