import * as v from 'valibot';
import { plainText } from './plain-text.ts';
import { resultList } from './result-list.ts';
import { resultsPerSearch, type SearchProvider, type SearchSettings, under } from './settings.ts';

/** The longest pattern of addresses that is taken, because each article's title is put into a copy of it. */
const addressCharacters = 1_000;

const answerSchema = v.object({
  query: v.object({
    search: resultList(v.object({ title: v.string(), snippet: v.optional(v.string(), '') })),
    general: v.optional(
      v.object({
        articlepath: v.optional(v.pipe(v.string(), v.maxLength(addressCharacters))),
        server: v.optional(v.string()),
      }),
    ),
  }),
});

/** Searches any MediaWiki. The answer says at which address the site has its articles. */
export function wikipedia({ baseUrl = 'https://en.wikipedia.org' }: SearchSettings): SearchProvider {
  const site = /\.php$/.test(new URL(baseUrl).pathname) ? new URL(baseUrl) : under(baseUrl, '/w/api.php');
  return {
    ignoresDates: true,
    request({ text }) {
      const url = new URL(site);
      const parameters = {
        action: 'query',
        format: 'json',
        formatversion: '2',
        list: 'search',
        srsearch: text,
        srlimit: String(resultsPerSearch),
        srprop: 'snippet',
        meta: 'siteinfo',
        siprop: 'general',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url };
    },
    read(answer) {
      const { search, general } = v.parse(answerSchema, answer).query;
      const server = new URL(general?.server ?? '/', site);
      const path = general?.articlepath ?? '/wiki/$1';
      return search.map(({ title, snippet }) => ({
        title,
        url: new URL(
          path.replace('$1', () => encodeTitle(title)),
          server,
        ).href,
        snippet: plainText(snippet),
      }));
    },
  };
}

function encodeTitle(title: string): string {
  return encodeURIComponent(title.replaceAll(' ', '_')).replaceAll('%2F', '/').replaceAll('%3A', ':');
}
