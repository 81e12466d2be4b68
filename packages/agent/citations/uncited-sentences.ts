import { endsSentence, statementsOf } from './cited-claims.ts';
import { jsonValues } from './json-values.ts';
import { findMarkers } from './markers.ts';

const code = /`+[^`]*`+/g;
const link = /!?\[[^[\]]*\]\([^()\s]*(?:\s[^()]*)?\)|<?https?:\/\/\S+/gi;
const emphasis = /[*_]+/g;

const figure = /\p{N}/u;
/** A capital letter that does not begin the sentence, or stands within a word. */
const name = /[\p{L}\p{M}\p{N},;)”"’'][ \t]+[("'“„«]?\p{Lu}[\p{L}\p{M}]|\p{L}\p{Lu}/u;
/** Letters of scripts without capitals, in which no word can be told from a name. */
const caseless = /[\p{Lo}\p{Script=Georgian}]/u;

/**
 * How many statements of the answer have figures or names, and cite none of the numbers. Statements are sentences, items of
 * lists and rows of tables. Headings, code, JSON and entries that are links count for nothing.
 */
export function countUncited(answer: string, known: ReadonlySet<number>): number {
  const json = jsonValues(answer);
  let next = 0;
  return statementsOf(answer, findMarkers(answer, known)).filter((statement) => {
    while (next < json.length && json[next]!.endIndex <= statement.startIndex) next++;
    const isJson = next < json.length && json[next]!.startIndex < statement.endIndex;
    if (isJson || statement.isHeading || statement.sources.length > 0) return false;
    return hasFigureOrName(statement.text);
  }).length;
}

function hasFigureOrName(statement: string): boolean {
  const written = statement.replace(code, '');
  const unlinked = written.replace(link, '');
  if (unlinked !== written && !endsSentence.test(statement.slice(-12))) return false;
  const text = unlinked.replace(emphasis, '');
  return figure.test(text) || name.test(text) || caseless.test(text);
}
