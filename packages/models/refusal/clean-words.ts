import { limits } from '@errand/platform';
import { removed } from './mask.ts';
import { maskPatterns } from './patterns.ts';
import { hasTrace } from './traces.ts';

/** What is ours and no message of an upstream may carry to a caller. */
export interface Hidden {
  /** Keys and other secrets of the set-up. */
  secrets: readonly string[];
  /** Host names and IP addresses of upstreams. */
  hosts: readonly string[];
}

export interface CleaningOptions {
  hidden: Hidden;
  /** The model's id, and its names on its upstreams, which callers do not know. */
  model: { id: string; names: readonly string[] };
}

/** A shorter secret may be any word, so it is removed only where it stands alone. */
const leastSecretCharacters = 8;

/** A private character in the place of the model's id, which no pattern may change. */
const idMark = '\uE000';

/**
 * The words of an upstream as a caller may read them, in one line of at most 1,000 characters: without control characters,
 * and without keys, addresses and account names. Undefined if nothing is left, or if a secret is in them in disguise.
 */
export function cleanWords(text: string, { hidden, model }: CleaningOptions): string | undefined {
  // Secrets go before the text is cut, so that no cut leaves a part of one.
  const plain = removeAll(oneLine(text), hidden.secrets).slice(0, limits.readRefusalCharacters);
  const marked = maskHosts(markModel(plain, [model.id, ...model.names]), hidden.hosts);
  const words = maskPatterns(marked).replaceAll(idMark, model.id).trim();
  const said = words.replaceAll(removed, '');
  if (!/[\p{L}\p{N}]/u.test(said) || hasTrace(words, hidden)) return undefined;
  return cut(words, limits.shownRefusalCharacters);
}

/** Characters that are not seen (format, private use) could split a secret. */
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cf}\p{Co}]+/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

function removeAll(text: string, secrets: readonly string[]): string {
  const longestFirst = secrets
    .map(oneLine)
    .filter(Boolean)
    .toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, secret) => {
    const found = literal(secret);
    const pattern = secret.length < leastSecretCharacters ? alone(found, 'gu') : new RegExp(found, 'giu');
    return rest.replace(pattern, removed);
  }, text);
}

const markModel = (text: string, names: readonly string[]): string =>
  names
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, name) => rest.replace(alone(literal(name), 'giu'), idMark), text);

const maskHosts = (text: string, hosts: readonly string[]): string =>
  hosts.reduce((rest, host) => rest.replace(alone(`${literal(host)}(?::\\d{1,5})?`, 'giu'), removed), text);

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const alone = (pattern: string, flags: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])${pattern}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, flags);

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const points = [...text];
  return points.length <= characters ? text : `${points.slice(0, characters - 1).join('')}…`;
}
