/** A shorter text may be any word, and is no secret. */
const leastCharacters = 4;
/** By default, a shorter text is taken out only where it is no part of a longer word. */
const leastWithinWords = 8;

/**
 * Makes a function that puts `by` in the place of each secret in a text: as it is written, as JSON and addresses write
 * it, and in base64, whatever its case. It does not look for other disguises. A secret of fewer than `leastWithin`
 * characters is hidden only where it is no part of a longer word.
 */
export function hideSecrets(
  secrets: readonly string[],
  by: string,
  leastWithin = leastWithinWords,
): (text: string) => string {
  const forms = secrets.filter(({ length }) => length >= leastCharacters).flatMap(formsOf);
  const within = anyOf(forms.filter(({ length }) => length >= leastWithin));
  const words = wordPattern(forms.filter(({ length }) => length < leastWithin));
  return (text) => text.replace(within, by).replace(words, by);
}

const formsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  ...(['base64', 'base64url'] as const).map((form) => Buffer.from(secret).toString(form).replace(/=+$/, '')),
];

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
  anyOf(texts, (found) => `(?<![\\p{L}\\p{N}_-])${found}${behind}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`);

/** Finds any of the texts, the longest first, whatever its case. */
function anyOf(texts: readonly string[], around = (found: string): string => found): RegExp {
  const longestFirst = [...new Set(texts)].sort((a, b) => b.length - a.length).map(literal);
  const nothing = '(?!)';
  return new RegExp(texts.length === 0 ? nothing : around(`(?:${longestFirst.join('|')})`), 'giu');
}

/** The source of a pattern that finds the text itself. */
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
