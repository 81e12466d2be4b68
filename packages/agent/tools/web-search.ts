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

const queriesOf = (args: { query?: string; queries?: string[] | undefined }): string[] => [
  ...new Set([...(args.query === undefined ? [] : [args.query]), ...(args.queries ?? [])]),
];

export const webSearch = (deps: { search: Search }) =>
  defineTool({
    name: 'web_search',
    description:
      'Searches the web and returns numbered sources: titles, addresses and snippets of the best results. Several queries go out at once.',
    parameters: v.pipe(
      v.object({
        query: v.optional(v.pipe(query, v.description('What to search for.'))),
        queries: v.optional(
          v.pipe(
            v.array(query),
            v.maxLength(limits.queriesPerSearch, `must have at most ${limits.queriesPerSearch} entries`),
            v.description('Several things to search for, or the same in other words.'),
          ),
        ),
      }),
      v.check((args) => queriesOf(args).length > 0, 'query or queries is required'),
    ),
    timeoutMilliseconds: limits.toolMilliseconds,
    sends: (args) => ({ query: queriesOf(args).join('\n') }),
    run: (args, { signal }) => searchAll(deps.search, queriesOf(args), signal),
  });

async function searchAll(
  search: Search,
  queries: readonly string[],
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const searches = await Promise.allSettled(queries.map((text) => search({ query: text, signal })));
  const problems = searches.flatMap((one) => (one.status === 'rejected' ? [problemOf(one.reason)] : []));
  if (problems.length === queries.length) throw new ToolError(problems[0] ?? '');
  const lists = searches.map((one) => (one.status === 'fulfilled' ? one.value : []));
  const results = inTurns(lists).slice(0, mostResults);
  const without = queries.filter((_, i) => searches[i]?.status === 'fulfilled' && lists[i]?.length === 0);
  const notes = [
    ...without.map((text) => `No results for ${JSON.stringify(text)}.`),
    ...problems.map((problem) => `Error: ${problem}`),
  ];
  if (results.length === 0) return { text: notes.join('\n') };
  const write = (numbers: readonly number[]) =>
    [
      ...results.map(({ title, url, snippet }, i) => `${numberMark(numbers[i])}${title}\n${url}\n${snippet}`),
      ...notes,
    ].join('\n\n');
  return {
    text: write(results.map((_, i) => i + 1)),
    isOutside: true,
    cited: { sources: results.map(toSource), text: write },
  };
}

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
