import * as v from 'valibot';
import { plainText } from './plain-text.ts';
import { resultList } from './result-list.ts';
import { SearchError, type SearchProvider, under } from './settings.ts';

const answerSchema = v.object({
  results: resultList(v.object({ title: v.string(), url: v.string(), content: v.nullish(v.string(), '') })),
});

export function searxng(baseUrl: string | undefined, apiKey: string | undefined): SearchProvider {
  if (!baseUrl) throw new SearchError('SearXNG has no public service: its base URL is needed');
  return {
    request: (query) => ({
      url: under(baseUrl, '/search', { q: query, format: 'json' }),
      headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
    }),
    read: (answer) =>
      v.parse(answerSchema, answer).results.map(({ title, url, content }) => ({
        title: plainText(title),
        url,
        snippet: plainText(content ?? ''),
      })),
  };
}
