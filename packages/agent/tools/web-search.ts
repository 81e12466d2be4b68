import { limits } from '@errand/platform';
import { type Search, SearchError } from '@errand/web';
import * as v from 'valibot';
import { defineTool, ToolError } from '../tool.ts';

export const webSearch = (deps: { search: Search }) =>
  defineTool({
    name: 'web_search',
    description: 'Searches the web and returns titles, addresses and snippets of the best results.',
    parameters: v.object({
      query: v.pipe(
        v.string(),
        v.trim(),
        v.minLength(1),
        v.maxLength(
          limits.searchQueryCharacters,
          `must have at most ${limits.searchQueryCharacters} characters`,
        ),
        v.description('What to search for.'),
      ),
    }),
    timeoutMilliseconds: limits.toolMilliseconds,
    sends: ({ query }) => ({ query }),
    async run({ query }, { signal }) {
      try {
        const results = await deps.search({ query, signal });
        if (results.length === 0) return `No results for ${JSON.stringify(query)}.`;
        const listed = results.map(({ title, url, snippet }, i) => `${i + 1}. ${title}\n${url}\n${snippet}`);
        return { text: listed.join('\n\n'), isOutside: true };
      } catch (error) {
        if (error instanceof SearchError) throw new ToolError(error.message);
        throw error;
      }
    },
  });
