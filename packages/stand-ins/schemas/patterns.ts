import { createContext, Script } from 'node:vm';
import { UnmadeValue } from './reading.ts';

const maxMatchMilliseconds = 1_000;

const test = new Script('new RegExp(pattern, "u").test(text)');

/** Whether the text fits the pattern. One that takes for ever, or is no regular expression, cannot be fulfilled. */
export function fitsPattern(pattern: unknown, text: string): boolean {
  if (typeof pattern !== 'string') throw new UnmadeValue('"pattern" is no text');
  try {
    return Boolean(test.runInContext(createContext({ pattern, text }), { timeout: maxMatchMilliseconds }));
  } catch {
    throw new UnmadeValue(`the stand-in cannot use the pattern ${JSON.stringify(pattern.slice(0, 100))}`);
  }
}

const maxCharacters = 10_000;
const maxRepeats = 500;

/**
 * A text for a pattern of common kinds: the first of each alternative and class, and so many more of what is repeated than has to be.
 * It may not fit: what looks ahead or back is left out.
 */
export function textFor(pattern: string, more: number): string {
  const reader = { rest: pattern, groups: [] as string[] };
  return readAlternatives(reader, more).slice(0, maxCharacters);
}

interface Reader {
  rest: string;
  groups: string[];
}

function readAlternatives(reader: Reader, more: number): string {
  const [first = ''] = readEach(reader, more);
  return first;
}

function readEach(reader: Reader, more: number): string[] {
  const texts = [''];
  while (reader.rest !== '' && !reader.rest.startsWith(')')) {
    if (take(reader, /^\|/)) texts.push('');
    else texts[texts.length - 1] += readRepeated(reader, more);
  }
  return texts;
}

/** Takes what the pattern matches from the beginning of the rest. */
function take(reader: Reader, pattern: RegExp): RegExpExecArray | undefined {
  const found = pattern.exec(reader.rest) ?? undefined;
  if (found) reader.rest = reader.rest.slice(found[0].length);
  return found;
}

function readRepeated(reader: Reader, more: number): string {
  const once = readOne(reader, more);
  const [, sign, least, comma, most] = take(reader, /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/) ?? [];
  if (sign === undefined && least === undefined) return once;
  const from = sign === '+' ? 1 : Number(least ?? 0);
  const to = sign === '?' ? 1 : sign ? Number.POSITIVE_INFINITY : comma ? Number(most || 1e9) : from;
  const times = Math.min(to, from + more, maxRepeats);
  return once.repeat(once.length * times > maxCharacters ? 1 : times);
}

const escapes: Record<string, string> = {
  d: '0',
  D: 'a',
  w: 'a',
  W: '-',
  s: ' ',
  S: 'a',
  t: '\t',
  n: '\n',
  r: '\r',
};

/** Stands for what has no character: an edge of the text or of a word. */
const edges = /^(?:[\^$]|\\[bB])/;

function readOne(reader: Reader, more: number): string {
  if (take(reader, edges)) return '';
  const group = take(reader, /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/);
  if (group) return readGroup(reader, group[0], more);
  if (reader.rest.startsWith('[')) return readClass(reader);
  const back = take(reader, /^\\([1-9]\d*)/);
  if (back) return reader.groups[Number(back[1]) - 1] ?? '';
  if (take(reader, /^\./)) return 'a';
  return readCharacter(reader);
}

function readGroup(reader: Reader, opening: string, more: number): string {
  const place = opening === '(' || /\w>$/.test(opening) ? reader.groups.push('') - 1 : -1;
  const text = readAlternatives(reader, more);
  take(reader, /^\)/);
  if (place >= 0) reader.groups[place] = text;
  return /[=!]$/.test(opening) ? '' : text;
}

function readCharacter(reader: Reader): string {
  const code = take(reader, /^\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\})/);
  if (code) return String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '61', 16));
  if (take(reader, /^\\[pP]\{[^}]*\}/)) return 'A';
  const escaped = take(reader, /^\\(.)/su)?.[1];
  if (escaped !== undefined) return escapes[escaped] ?? escaped;
  return take(reader, /^./su)?.[0] ?? '';
}

/** What is tried for a class that says what it does not hold. */
const usual = [...'a0A -_.:/'];

function readClass(reader: Reader): string {
  const [whole = '['] = take(reader, /^\[(?:\\.|[^\]\\])*\]?/su) ?? [];
  if (!whole.startsWith('[^')) return readCharacter({ rest: whole.slice(1), groups: [] });
  return usual.find((character) => fitsPattern(`^${whole}$`, character)) ?? '';
}
