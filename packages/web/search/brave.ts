import * as v from 'valibot';
import { plainText } from './plain-text.ts';
import { resultList } from './result-list.ts';
import { dayOf, resultsPerSearch, type SearchProvider, type SearchSettings, under } from './settings.ts';

const answerSchema = v.object({
  web: v.optional(
    v.object({
      results: resultList(
        v.object({
          title: v.string(),
          url: v.string(),
          description: v.nullish(v.string(), ''),
          page_age: v.optional(v.unknown()),
        }),
      ),
    }),
  ),
});

export function brave({
  baseUrl = 'https://api.search.brave.com',
  apiKey = '',
}: SearchSettings): SearchProvider {
  return {
    request: ({ text, since }) => ({
      url: under(baseUrl, '/res/v1/web/search', {
        q: text,
        count: String(resultsPerSearch),
        ...(since !== undefined && { freshness: `${since}to${dayOf(new Date().toISOString())}` }),
      }),
      headers: { 'x-subscription-token': apiKey },
    }),
    // Brave leaves out `web` when nothing was found.
    read: (answer) =>
      (v.parse(answerSchema, answer).web?.results ?? []).map(({ title, url, description, page_age }) => ({
        title: plainText(title),
        url,
        snippet: plainText(description ?? ''),
        date: dayOf(page_age),
      })),
  };
}
