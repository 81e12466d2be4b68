import { formats } from './formats.ts';
import { patternText } from './pattern-text.ts';
import { entryOf, type Keywords, limitOf, UnmadeValue } from './schema.ts';

const variants = 64;
const maxTextCharacters = 10_000;

export const highest = (parts: readonly Keywords[], keyword: string, none: number): number =>
  Math.max(none, ...parts.map((part) => limitOf(part, keyword, none)));

const lowest = (parts: readonly Keywords[], keyword: string): number =>
  Math.min(
    ...parts.map((part) => limitOf(part, keyword, Number.POSITIVE_INFINITY)),
    Number.POSITIVE_INFINITY,
  );

/** Texts for all parts of a schema; the caller drops those that do not fit. */
export function* texts(parts: readonly Keywords[]): Generator<string> {
  const least = highest(parts, 'minLength', 0);
  const most = lowest(parts, 'maxLength');
  if (least > maxTextCharacters) throw new UnmadeValue(`"minLength" is more than ${maxTextCharacters}`);
  const known = parts.flatMap(({ format }) => (entryOf(formats, String(format)) as typeof formats.uri) ?? []);
  const patterns = parts.flatMap(({ pattern }) => (typeof pattern === 'string' ? pattern : []));
  for (let n = 1; n <= variants; n++) {
    yield* known.map(({ make }) => lengthen(make(n), least));
    if (known.length === 0) yield numberedText(n, least, most);
    if (patterns.length === 0) continue;
    for (const more of new Set([0, 1, least])) {
      const found = patterns.map((pattern) => patternText(pattern, n - 1, more));
      yield* new Set([...found, found.join(''), found.join('').padEnd(least, 'stand-in')]);
    }
  }
}

const lengthen = (text: string, least: number): string =>
  text.replace('stand-in', (name) => name.padEnd(name.length + least - text.length, 'n'));

/** `stand-in`, `stand-in-2` and so on, cut or filled to the length. */
function numberedText(n: number, least: number, most: number): string {
  const suffix = n === 1 ? '' : most < 4 ? n.toString(36) : `-${n}`;
  const room = Math.max(0, most - suffix.length);
  const length = Math.max(least - suffix.length, Math.min(room, 'stand-in'.length));
  const filled = 'stand-in'.padEnd(length, ' stand-in').slice(0, length);
  return (filled + suffix).slice(0, most);
}

/** Numbers for all parts of a schema, beginning near 0; the caller drops those that do not fit. */
export function* numbers(parts: readonly Keywords[], isInteger: boolean): Generator<number> {
  const none = Number.NEGATIVE_INFINITY;
  const lower = Math.max(highest(parts, 'minimum', none), highest(parts, 'exclusiveMinimum', none));
  const upper = Math.min(lowest(parts, 'maximum'), lowest(parts, 'exclusiveMaximum'));
  const start = lower > 0 ? lower : Math.min(upper, 0);
  const step = highest(parts, 'multipleOf', 0) || 1;
  const first = start < 0 ? Math.floor(start / step) : Math.ceil(start / step);
  const isExact = isInteger || highest(parts, 'multipleOf', 0) > 0;
  for (let n = 0; n < variants; n++) {
    const between = isExact ? [] : [start, lower + (upper - lower) / (n + 2)];
    // Adding 0 makes 0 of -0, which JSON writes as 0.
    const found = [...between, (first + n) * step + 0, (first - n) * step + 0];
    yield* found.filter(Number.isFinite);
  }
}
