import * as v from 'valibot';
import { plainText } from './plain-text.ts';
import { resultList } from './result-list.ts';
import { dayOf, type SearchProvider, type SearchSettings, under } from './settings.ts';

const answerSchema = v.object({
  results: resultList(
    v.object({
      title: v.string(),
      url: v.string(),
      content: v.nullish(v.string(), ''),
      publishedDate: v.optional(v.unknown()),
    }),
  ),
});

export function searxng({ baseUrl = '', apiKey }: SearchSettings): SearchProvider {
  return {
    request: ({ text, since }) => ({
      url: under(baseUrl, '/search', { q: text, format: 'json', ...rangeSince(since) }),
      ...(apiKey && { headers: { authorization: `Bearer ${apiKey}` } }),
    }),
    read: (answer) =>
      v.parse(answerSchema, answer).results.map(({ title, url, content, publishedDate }) => ({
        title: plainText(title),
        url,
        snippet: plainText(content ?? ''),
        date: dayOf(publishedDate),
      })),
  };
}

const dayMilliseconds = 86_400_000;
/** The ranges that SearXNG knows, by their days. What it finds beyond the day is left out by the dates of the results. */
const ranges = { day: 1, month: 28, year: 365 } as const;

function rangeSince(since: string | undefined): { time_range?: string } {
  if (since === undefined) return {};
  const days = (Date.now() - Date.parse(since)) / dayMilliseconds;
  const range = Object.entries(ranges).find(([, most]) => days <= most)?.[0];
  return range === undefined ? {} : { time_range: range };
}
