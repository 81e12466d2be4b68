import { limits } from '@errand/platform';
import { authorizationSecrets, hideSecrets, wordPattern } from '@errand/text';
import { maskPatterns, removed } from './patterns.ts';

/** A model's id, and its names on its upstreams, which callers do not know. */
export interface NamedModel {
  id: string;
  names: readonly string[];
}

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

/**
 * The words of an upstream as a caller may read them, in one line of at most `shownRefusalCharacters`: without control characters,
 * our own secrets and hosts, and without what looks like a key, an address or the name of an account. Models have their
 * ids. Undefined if nothing is left. Secrets in other disguises than `hideSecrets` knows are not looked for.
 */
export function cleanWords(text: string, { hidden, model }: CleaningOptions): string | undefined {
  const hide = hideSecrets(hidden.secrets.map(oneLine).flatMap(formsInHeaders), removed);
  // Secrets go before the text is cut, so that no cut leaves a part of one.
  const plain = hide(oneLine(text)).slice(0, limits.readRefusalCharacters);
  const hostless = plain.replace(wordPattern(hidden.hosts, '(?::\\d{1,5})?'), removed);
  const words = nameModels(hostless, [model, ...(hidden.models ?? [])], maskPatterns).trim();
  if (!/[\p{L}\p{N}]/u.test(words.replaceAll(removed, ''))) return undefined;
  return cut(words, limits.shownRefusalCharacters);
}

/** Characters that are not seen (format, private use) could split a secret. */
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cf}\p{Co}]+/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

const formsInHeaders = (secret: string): string[] => [...authorizationSecrets(secret), `Bearer ${secret}`];

const firstMark = 0xe000;

/**
 * Puts a model's id in the place of its names, with and without what stands before their last `/`. A name that several
 * models have is that of the first, which was asked. `mask` changes no id, because private characters stand for the ids
 * meanwhile.
 */
function nameModels(text: string, models: readonly NamedModel[], mask: (text: string) => string): string {
  const marks = new Map<string, string>();
  const add = (names: readonly string[], index: number) => {
    for (const name of names.map((each) => each.toLowerCase()))
      if (!marks.has(name)) marks.set(name, String.fromCharCode(firstMark + index));
  };
  for (const asked of models.slice(0, 1)) add([asked.id, ...tellingNames(asked)], 0);
  for (const [index, { id }] of models.entries()) add([id], index);
  for (const [index, model] of models.entries()) add(tellingNames(model), index);
  const marked = text.replace(
    wordPattern([...marks.keys()]),
    (name) => marks.get(name.toLowerCase()) ?? removed,
  );
  return mask(marked).replace(
    /[\uE000-\uF8FF]/g,
    (mark) => models[mark.charCodeAt(0) - firstMark]?.id ?? removed,
  );
}

/** The names that can be told from other words. A name of letters alone, such as `default`, cannot. */
const tellingNames = ({ names }: NamedModel): string[] =>
  names
    .flatMap((name) => [name, name.slice(name.lastIndexOf('/') + 1)])
    .filter((name) => /[^a-z]/i.test(name));

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const points = [...text];
  return points.length <= characters ? text : `${points.slice(0, characters - 1).join('')}…`;
}
