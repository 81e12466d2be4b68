/** A shorter text may be any word, and is no secret. */
const leastCharacters = 4;
/** By default, a shorter text is taken out only where it is no part of a longer word. */
const leastWithinWords = 8;

/**
 * A longer secret is found by so many of its first characters, and hidden as far as it goes on: the time for a text of a
 * stranger must not grow with the length of a secret of theirs.
 */
const headCharacters = 64;

/**
 * Makes a function that puts `by` in the place of each secret in a text: as it is written, with any of its characters as
 * JSON and addresses escape them, in hex, and in base64 at any alignment, whatever its case. It does not look for other disguises. A secret of fewer than `leastWithin`
 * characters is hidden only where it is no part of a longer word.
 */
export function hideSecrets(
  secrets: readonly string[],
  by: string,
  leastWithin = leastWithinWords,
): (text: string) => string {
  const forms = secrets.filter(({ length }) => length >= leastCharacters).flatMap(formsOf);
  const patterns = (isWithin: boolean) =>
    forms.filter(({ characters }) => characters >= leastWithin === isWithin).map(headOf);
  const within = anyOf(patterns(true));
  const words = anyOf(patterns(false), (found) => asWord(found));
  const long = forms.filter(({ units }) => units.length > headCharacters).map(piecesOf);
  return (text) => hideWithin(text, { by, within, long }).replace(words, by);
}

/** A spelling of a secret. */
interface Form {
  /** The sources of the patterns that find its characters. */
  units: readonly string[];
  characters: number;
}

const headOf = ({ units }: Form): string => units.slice(0, headCharacters).join('');

/** Patterns that find a form piece by piece, each where it is told to look. */
function piecesOf({ units }: Form): RegExp[] {
  const starts = Array.from(
    { length: Math.ceil(units.length / headCharacters) },
    (_, i) => i * headCharacters,
  );
  return starts.map((start) => new RegExp(units.slice(start, start + headCharacters).join(''), 'iuy'));
}

interface Hiding {
  by: string;
  within: RegExp;
  long: readonly (readonly RegExp[])[];
}

function hideWithin(text: string, { by, within, long }: Hiding): string {
  let shown = '';
  let from = 0;
  for (;;) {
    within.lastIndex = from;
    const found = within.exec(text);
    if (!found) return shown + text.slice(from);
    const { index } = found;
    shown += text.slice(from, index) + by;
    from = Math.max(index + found[0].length, ...long.map((pieces) => endOf(pieces, text, index)));
  }
}

/** Where the pieces that follow each other from the index on end. */
function endOf(pieces: readonly RegExp[], text: string, index: number): number {
  let end = index;
  for (const piece of pieces) {
    piece.lastIndex = end;
    if (!piece.test(text)) break;
    end = piece.lastIndex;
  }
  return end;
}

/** The secret with any of its characters as JSON or an address writes them, in hex, and in base64 wherever it stands in what was encoded. */
const formsOf = (secret: string): Form[] => [
  { units: (secret.match(/\\+[^\\]?|[^\\]/gu) ?? []).map(unitPattern), characters: secret.length },
  { units: [...Buffer.from(secret).toString('hex')], characters: 2 * secret.length },
  ...base64Forms(secret),
];

/**
 * A character, with the backslashes in front of it. JSON doubles backslashes: if each had two spellings of its own, a row of
 * them could be read in more ways than can be tried.
 */
function unitPattern(unit: string): string {
  const character = unit.replace(/^\\+/, '');
  const backslashes = Math.min(unit.length - character.length, headCharacters);
  const row = backslashes > 0 ? `${anyBackslash}{${backslashes},${2 * backslashes}}` : '';
  return character === '' ? row : row + characterPattern(character);
}

const anyBackslash = String.raw`(?:\\u005c|%5c|\\)`;

/** One character, as it is or escaped. */
function characterPattern(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  const unicode = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  const percent = [...Buffer.from(character)]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('');
  const json = JSON.stringify(character).slice(1, -1);
  const spellings = [character, json, unicode, percent, ...(character === ' ' ? ['+'] : [])];
  return `(?:${[...new Set(spellings)].map(literal).join('|')})`;
}

/** A digit that also says something of what stands before or behind the secret. */
const sharedDigit = '[\\w+/-]?';

const base64Forms = (secret: string): Form[] =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + secret);
    const first = Math.ceil((before * 8) / 6);
    const digits = bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6));
    const own = [...digits].map((digit) => base64Digits[digit] ?? digit);
    const shared = (isShared: boolean) => (isShared ? [sharedDigit] : []);
    const units = [...shared(before > 0), ...own, ...shared(bytes.length % 3 > 0)];
    return { units, characters: digits.length };
  });

/** As base64 for addresses writes them. */
const base64Digits: Readonly<Record<string, string>> = { '+': '[+-]', '/': '[/_]' };

/**
 * The secrets in the value of an `Authorization` header: the whole value, what stands behind its scheme, and the login
 * and the password that this says in base64.
 */
export function authorizationSecrets(value: string): string[] {
  const [scheme = '', ...rest] = value.split(' ');
  const token = rest.join(' ') || scheme;
  const login = /^basic$/i.test(scheme) ? Buffer.from(token, 'base64').toString() : '';
  const password = login.slice(login.indexOf(':') + 1);
  return [...new Set([value, token, login, password])].filter((text) => text.length >= leastCharacters);
}

/** Finds any of the texts where it is no part of a longer word, with what the pattern `behind` finds right behind it. */
export const wordPattern = (texts: readonly string[], behind = ''): RegExp =>
  anyOf(texts.map(literal), (found) => asWord(found, behind));

const asWord = (found: string, behind = ''): string =>
  `(?<![\\p{L}\\p{N}_-])${found}${behind}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`;

/** Finds what any of the patterns finds, the longest first, whatever its case. */
function anyOf(patterns: readonly string[], around = (found: string): string => found): RegExp {
  const longestFirst = [...new Set(patterns)].sort((a, b) => b.length - a.length);
  const nothing = '(?!)';
  return new RegExp(patterns.length === 0 ? nothing : around(`(?:${longestFirst.join('|')})`), 'giu');
}

/** The source of a pattern that finds the text itself. */
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
