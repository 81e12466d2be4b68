import * as v from 'valibot';
import { plainText } from './plain-text.ts';
import { resultList } from './result-list.ts';
import { type SearchProvider, type SearchSettings, under } from './settings.ts';

const answerSchema = v.object({
  results: resultList(v.object({ title: v.string(), url: v.string(), content: v.nullish(v.string(), '') })),
});

export function searxng({ baseUrl = '', apiKey }: SearchSettings): SearchProvider {
  return {
    request: (query) => ({
      url: under(baseUrl, '/search', { q: query, format: 'json' }),
      ...(apiKey && { headers: { authorization: `Bearer ${apiKey}` } }),
    }),
    read: (answer) =>
      v.parse(answerSchema, answer).results.map(({ title, url, content }) => ({
        title: plainText(title),
        url,
        snippet: plainText(content ?? ''),
      })),
  };
}
