import * as v from 'valibot';
import { plainText } from './plain-text.ts';
import { resultList } from './result-list.ts';
import { resultsPerSearch, type SearchProvider, type SearchSettings, under } from './settings.ts';

const answerSchema = v.object({
  web: v.optional(
    v.object({
      results: resultList(
        v.object({ title: v.string(), url: v.string(), description: v.nullish(v.string(), '') }),
      ),
    }),
  ),
});

export function brave({
  baseUrl = 'https://api.search.brave.com',
  apiKey = '',
}: SearchSettings): SearchProvider {
  return {
    request: (query) => ({
      url: under(baseUrl, '/res/v1/web/search', { q: query, count: String(resultsPerSearch) }),
      headers: { 'x-subscription-token': apiKey },
    }),
    // Brave leaves out `web` when nothing was found.
    read: (answer) =>
      (v.parse(answerSchema, answer).web?.results ?? []).map(({ title, url, description }) => ({
        title: plainText(title),
        url,
        snippet: plainText(description ?? ''),
      })),
  };
}
