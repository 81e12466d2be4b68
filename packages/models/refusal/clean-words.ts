import { limits } from '@errand/platform';
import { alone, literal } from './literal.ts';
import { removed } from './mask.ts';
import { hasNameTrace, markNames, type NamedModel, unmarkNames } from './model-names.ts';
import { maskPatterns } from './patterns.ts';
import { hasTrace } from './traces.ts';

/** What is ours and no message of an upstream may carry to a caller. */
export interface Hidden {
  /** Keys and other secrets of the set-up. */
  secrets: readonly string[];
  /** Host names and IP addresses of upstreams. */
  hosts: readonly string[];
  /** All models: each is named by its id, whichever model was asked. */
  models?: readonly NamedModel[];
}

export interface CleaningOptions {
  hidden: Hidden;
  /** The model that was asked. */
  model: NamedModel;
}

/** A shorter secret may be any word, so it is removed only where it stands alone. */
const leastSecretCharacters = 8;

/**
 * The words of an upstream as a caller may read them, in one line of at most 1,000 characters: without control characters,
 * and without keys, addresses, account names and upstreams' names of models. Undefined if nothing is left, or if a secret
 * or such a name is in them in disguise.
 */
export function cleanWords(text: string, { hidden, model }: CleaningOptions): string | undefined {
  // Secrets go before the text is cut, so that no cut leaves a part of one.
  const plain = removeAll(oneLine(text), hidden.secrets).slice(0, limits.readRefusalCharacters);
  const models = [model, ...(hidden.models ?? [])];
  const marked = maskPatterns(maskHosts(markNames(plain, models), hidden.hosts));
  const words = unmarkNames(marked, models).trim();
  const said = words.replaceAll(removed, '');
  if (!/[\p{L}\p{N}]/u.test(said) || hasTrace(words, hidden)) return undefined;
  if (hasNameTrace(marked, models)) return undefined;
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

const maskHosts = (text: string, hosts: readonly string[]): string =>
  hosts.reduce((rest, host) => rest.replace(alone(`${literal(host)}(?::\\d{1,5})?`, 'giu'), removed), text);

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const points = [...text];
  return points.length <= characters ? text : `${points.slice(0, characters - 1).join('')}…`;
}

/** Whether texts that are shown side by side, each of which may be shown alone, tell a secret together, in any order. */
export function holdsSecretTogether(texts: readonly string[], hidden: Hidden): boolean {
  const pairs = texts.flatMap((one) => texts.filter((other) => other !== one).map((other) => one + other));
  return [texts.join(''), ...pairs].some((text) => hasTrace(text, hidden));
}
