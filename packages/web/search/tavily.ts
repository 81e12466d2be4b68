import * as v from 'valibot';
import { plainText } from './plain-text.ts';
import { resultList } from './result-list.ts';
import { resultsPerSearch, type SearchProvider, type SearchSettings, under } from './settings.ts';

const answerSchema = v.object({
  results: resultList(v.object({ title: v.string(), url: v.string(), content: v.nullish(v.string(), '') })),
});

export function tavily({ baseUrl = 'https://api.tavily.com', apiKey }: SearchSettings): SearchProvider {
  return {
    request: (query) => ({
      url: under(baseUrl, '/search'),
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, max_results: resultsPerSearch }),
    }),
    read: (answer) =>
      v.parse(answerSchema, answer).results.map(({ title, url, content }) => ({
        title,
        url,
        snippet: plainText(content ?? ''),
      })),
  };
}
