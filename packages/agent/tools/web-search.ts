import { limits } from '@errand/platform';
import { type Search, SearchError, type SearchResult } from '@errand/web';
import * as v from 'valibot';
import type { FoundSource } from '../data.ts';
import { addressName, numberMark } from '../sources/number-sources.ts';
import { defineTool, type ToolAnswer, ToolError } from '../tool.ts';

const query = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1),
  v.maxLength(limits.searchQueryCharacters, `must have at most ${limits.searchQueryCharacters} characters`),
);

/** Several queries give more results than one, but not so many more that they fill the context. */
const mostResults = 16;

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;

const since = v.optional(
  v.pipe(
    v.string(),
    v.check((text) => text === '' || isDay(text), 'must be a day such as 2026-01-31'),
    v.description('Only pages since this day, as YYYY-MM-DD.'),
  ),
);

const several = v.pipe(
  v.array(query),
  v.minLength(1, 'must have an entry'),
  v.maxLength(limits.queriesPerSearch, `must have at most ${limits.queriesPerSearch} entries`),
  v.description('What to search for: several things, or the same in other words.'),
);

/** What models write as well: one text, under either name. */
const understood = v.pipe(
  v.object({ query: v.optional(query), queries: v.optional(v.union([several, query])), since }),
  v.transform(({ query: one, queries = [], since: day }) => ({
    queries: [...new Set([...(one === undefined ? [] : [one]), ...[queries].flat()])],
    since: day || undefined,
  })),
  v.check(({ queries }) => queries.length > 0, 'queries is required'),
);

export const webSearch = (deps: { search: Search }) =>
  defineTool({
    name: 'web_search',
    description:
      'Searches the web and returns numbered sources: titles, addresses, snippets and, where they are known, dates of the best results. All queries go out at once.',
    parameters: understood,
    shown: v.object({ queries: several, since }),
    timeoutMilliseconds: limits.toolMilliseconds,
    readsOnly: true,
    sends: ({ queries }) => ({ query: queries.join('\n') }),
    run: (args, { signal }) => searchAll(deps.search, args, signal),
  });

async function searchAll(
  search: Search,
  { queries, since }: v.InferOutput<typeof understood>,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const searches = await Promise.allSettled(queries.map((text) => search({ query: text, since, signal })));
  const problems = searches.flatMap((one) => (one.status === 'rejected' ? [problemOf(one.reason)] : []));
  if (problems.length === queries.length) throw new ToolError(problems[0] ?? '');
  const lists = searches.map((one) => (one.status === 'fulfilled' ? one.value : []));
  const results = inTurns(lists).slice(0, mostResults);
  const without = queries.filter((_, i) => searches[i]?.status === 'fulfilled' && lists[i]?.length === 0);
  const notes = [
    ...without.map((text) => `No results for ${JSON.stringify(text)}.`),
    ...problems.map((problem) => `Error: ${problem}`),
    ...(since !== undefined && search.ignoresDates ? [datesIgnored] : []),
  ];
  if (results.length === 0) return { text: notes.join('\n') };
  const write = (numbers: readonly number[]) =>
    [
      ...results.map(({ title, url, snippet, date }, i) =>
        [
          `${numberMark(numbers[i])}${title}`,
          url,
          date === undefined ? snippet : `(${date}) ${snippet}`,
        ].join('\n'),
      ),
      ...notes,
    ].join('\n\n');
  return {
    text: write(results.map((_, i) => i + 1)),
    isOutside: true,
    cited: { sources: results.map(toSource), text: write },
  };
}

const datesIgnored = 'This search cannot tell the dates of pages: `since` changed nothing.';

const keptSnippet = 500;

const toSource = ({ title, url, snippet }: SearchResult): FoundSource => ({
  kind: 'result',
  title,
  url,
  snippet: snippet.slice(0, keptSnippet).toWellFormed(),
});

function problemOf(error: unknown): string {
  if (error instanceof SearchError) return error.message;
  throw error;
}

/** The results that are in what the tool answered, which an event has. */
export const readResults = (answer: string): Pick<SearchResult, 'url' | 'title'>[] =>
  [...answer.matchAll(resultPattern)].map(([, title = '', url = '']) => ({ title, url }));

const resultPattern = /(?:^|\n\n)(?:\[\d+\] )?([^\n]*)\n(https?:\/\/[^\s]+)(?=\n|$)/g;

/** The first results of all lists, then the second ones, and so on, each address once. */
function inTurns(lists: readonly SearchResult[][]): SearchResult[] {
  const most = Math.max(0, ...lists.map(({ length }) => length));
  const found = new Map<string, SearchResult>();
  for (let rank = 0; rank < most; rank++)
    for (const list of lists) {
      const result = list[rank];
      if (result && !found.has(addressName(result.url))) found.set(addressName(result.url), result);
    }
  return [...found.values()];
}
