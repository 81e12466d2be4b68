/** A shorter text may be any word, and is no secret. */
const leastCharacters = 4;
/** By default, a shorter text is taken out only where it is no part of a longer word. */
const leastWithinWords = 8;

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
    forms.filter(({ characters }) => characters >= leastWithin === isWithin).map(({ pattern }) => pattern);
  const within = anyOf(patterns(true));
  const words = anyOf(patterns(false), (found) => asWord(found));
  return (text) => text.replace(within, by).replace(words, by);
}

/** A spelling of a secret. */
interface Form {
  /** The source of the pattern that finds it. */
  pattern: string;
  characters: number;
}

/** The secret with any of its characters as JSON or an address writes them, in hex, and in base64 wherever it stands in what was encoded. */
const formsOf = (secret: string): Form[] => [
  { pattern: [...secret].map(characterPattern).join(''), characters: secret.length },
  { pattern: Buffer.from(secret).toString('hex'), characters: 2 * secret.length },
  ...base64Forms(secret),
];

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
    const own = [...digits].map((digit) => base64Digits[digit] ?? digit).join('');
    const pattern = `${before > 0 ? sharedDigit : ''}${own}${bytes.length % 3 > 0 ? sharedDigit : ''}`;
    return { pattern, characters: digits.length };
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
