import { bare, urlsIn } from '../clauses.ts';
import { shorten } from '../quote.ts';
import type { Step, Task } from '../task.ts';
import { type Behaviour, isError, type Report, stepsWith } from './behaviour.ts';

const asksToSearch = [
  /\bsearch(?!\s+(?:results?|engines?)\b)(?:\s+(?:the\s+)?(?:web|internet|wikipedia)|\s+online)?(?:\s+(?:for|about))?\s+(.+)/is,
  /\blook\s+up\s+(.+)/is,
  /\bfind\s+(.+?)\s+(?:on|in)\s+the\s+(?:web|internet)\b/is,
  /\bfind\s+(?:on|in)\s+the\s+(?:web|internet)\s+(.+)/is,
];
const maxQueryCharacters = 300;
const resultsToName = 3;

export const searchBehaviour: Behaviour = {
  tool: 'web_search',
  inputs: (task) => queriesOf(task).map((query) => ({ query })),
  report: (task) => stepsWith(task, 'web_search').map(reportSearch),
};

const queriesOf = ({ clauses }: Task): string[] =>
  clauses.flatMap((clause) => {
    const found = asksToSearch.map((pattern) => pattern.exec(clause)?.[1]).find((text) => text !== undefined);
    const query = bare(found?.replace(/\s+(?:on|in)\s+the\s+(?:web|internet)\W*$/i, '') ?? '');
    return query === '' ? [] : [shorten(query, maxQueryCharacters)];
  });

function reportSearch({ input, result }: Step): Report {
  const query = String(input.query);
  if (isError(result)) return { text: `The search for "${query}" failed: ${result.trim()}` };
  const found = readResults(result).slice(0, resultsToName);
  if (found.length === 0) return { text: `The search for "${query}" found: ${shorten(result.trim(), 500)}` };
  return {
    text: found
      .map(({ title, url }, index) => `${index + 1}. ${title === '' ? '' : `${title}: `}${url}`)
      .join('\n'),
    aside: `These are the first results of a web search for "${query}".`,
  };
}

/** The pages in a search result, in order. A page's title is on its URL's line, or on the line before. */
function readResults(result: string): { title: string; url: string }[] {
  const lines = result.split('\n');
  return urlsIn(result).map((url) => {
    const index = lines.findIndex((line) => line.includes(url));
    const candidates = [(lines[index] ?? '').replaceAll(url, ''), lines[index - 1] ?? ''];
    const titles = candidates.map(cleanTitle);
    return { url, title: titles.find((title) => title !== '') ?? '' };
  });
}

const cleanTitle = (line: string): string =>
  shorten(
    line
      .replace(/^\s*(?:\[\d+\]|\d+[.)]|[-*#]+)\s*/, '')
      .replace(/\b(?:url|link|title)"?\s*:/gi, ' ')
      .replace(/^[\s[\](){}<>"',:|–—-]+|[\s[\](){}<>"',:|–—-]+$/g, ''),
    120,
  );
