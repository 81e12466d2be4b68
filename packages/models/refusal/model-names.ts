import { alone, literal } from './literal.ts';
import { removed } from './mask.ts';
import { leastCharacters, skeleton, viewsOf } from './traces.ts';

/** A model's id, and its names on its upstreams, which callers do not know. */
export interface NamedModel {
  id: string;
  names: readonly string[];
}

/** A shorter end of a name may be any word. */
const leastEndCharacters = 6;

/** Words that refusals use, whatever the model is called. */
const ordinary = new Set(
  'audio auto base chat completion completions default embedding embeddings image images instruct large latest local medium model models reasoning small speech text transcription vision'.split(
    ' ',
  ),
);

/** Private characters in the place of ids, which no pattern may change. */
const firstMark = 0xe000;
const markOf = (index: number): string => String.fromCharCode(firstMark + index);

/**
 * Puts a mark in the place of every model's id and names. The first model is the one that was asked: a name that
 * several models have is its own. A longer word that holds a name is removed.
 */
export function markNames(text: string, models: readonly NamedModel[]): string {
  const marks = marksOf(models);
  const longestFirst = [...marks.keys()].toSorted((a, b) => b.length - a.length);
  const pattern = alone(`(?:${longestFirst.map(literal).join('|')})`, 'giu');
  const marked = text.replace(pattern, (name) => marks.get(name.toLowerCase()) ?? removed);
  const needles = needlesOf(models);
  return marked.replace(/[^\s"'`,;()<>]+/g, (word) => {
    const letters = skeleton(word);
    return needles.some((needle) => letters.includes(needle)) ? removed : word;
  });
}

export const unmarkNames = (text: string, models: readonly NamedModel[]): string =>
  text.replace(/[\uE000-\uF8FF]/g, (mark) => models[mark.charCodeAt(0) - firstMark]?.id ?? removed);

/** Whether a name is in the marked text in some disguise. */
export function hasNameTrace(marked: string, models: readonly NamedModel[]): boolean {
  const needles = needlesOf(models);
  return viewsOf(marked).some((view) => needles.some((needle) => view.includes(needle)));
}

function marksOf(models: readonly NamedModel[]): Map<string, string> {
  const marks = new Map<string, string>();
  const add = (names: readonly string[], index: number) => {
    for (const name of names) {
      const known = name.toLowerCase();
      if (name !== '' && !marks.has(known)) marks.set(known, markOf(index));
    }
  };
  const [asked] = models;
  if (asked) add([asked.id, ...spellingsOf(asked)], 0);
  for (const [index, { id }] of models.entries()) add([id], index);
  for (const [index, model] of models.entries()) add(spellingsOf(model), index);
  return marks;
}

/** The names of a model, and their ends with and without a tag: `acme/big-1:free`, `big-1:free`, `big-1`. */
function spellingsOf({ names }: NamedModel): string[] {
  const ends = names.map((name) => name.split('/').at(-1) ?? '');
  const bare = ends.map((end) => end.replace(/[:@].*$|\.gguf$/i, ''));
  const long = [...ends, ...bare].filter((end) => end.length >= leastEndCharacters);
  return [...names, ...long].filter((name) => !ordinary.has(name.toLowerCase()));
}

/**
 * What tells a name in any spelling. A name that is one plain word tells nothing within another word, and one that is
 * part of a model's id is known to callers.
 */
function needlesOf(models: readonly NamedModel[]): string[] {
  const ids = models.map(({ id }) => skeleton(id));
  const names = models.flatMap(spellingsOf).filter((name) => /[^a-z]/i.test(name));
  return [...new Set(names.map(skeleton))].filter(
    (needle) => needle.length >= leastCharacters && !ids.some((id) => id.includes(needle)),
  );
}
