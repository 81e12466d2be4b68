import * as v from 'valibot';
import { plainText } from './plain-text.ts';
import { resultList } from './result-list.ts';
import { dayOf, resultsPerSearch, type SearchProvider, type SearchSettings, under } from './settings.ts';

const answerSchema = v.object({
  results: resultList(
    v.object({
      title: v.string(),
      url: v.string(),
      content: v.nullish(v.string(), ''),
      published_date: v.optional(v.unknown()),
    }),
  ),
});

export function tavily({ baseUrl = 'https://api.tavily.com', apiKey }: SearchSettings): SearchProvider {
  return {
    request: ({ text, since }) => ({
      url: under(baseUrl, '/search'),
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: text, max_results: resultsPerSearch, start_date: since }),
    }),
    read: (answer) =>
      v.parse(answerSchema, answer).results.map(({ title, url, content, published_date }) => ({
        title,
        url,
        snippet: plainText(content ?? ''),
        date: dayOf(published_date),
      })),
  };
}
