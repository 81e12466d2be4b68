import type { SearchProviderName } from '@errand/platform';

export interface SearchSettings {
  provider: SearchProviderName;
  /** The provider's address. The default is its public service; SearXNG has none. */
  baseUrl?: string;
  apiKey?: string;
}

export interface SearchResult {
  title: string;
  url: string;
  /** Plain text. */
  snippet: string;
  /** When the page was published or last changed, as `YYYY-MM-DD`, where the provider says so. */
  date?: string;
}

/** What is searched for, and the day since which pages are wanted, as `YYYY-MM-DD`. */
export interface SearchQuery {
  text: string;
  since?: string;
}

export interface SearchProvider {
  /** The provider cannot search by date. */
  ignoresDates?: true;
  request(query: SearchQuery): { url: URL; method?: 'POST'; headers?: Record<string, string>; body?: string };
  /** Throws when the answer does not have the provider's shape. */
  read(answer: unknown): SearchResult[];
}

/** The day of a date in any form that providers write. */
export function dayOf(date: unknown): string | undefined {
  const at = new Date(typeof date === 'string' ? date : '');
  return Number.isNaN(at.valueOf()) ? undefined : at.toISOString().slice(0, 10);
}

export const resultsPerSearch = 8;

/** The message can be shown to a model: it holds no key, address or text of the provider. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
}

/** A path under a base URL, whether or not the base ends in a slash. */
export function under(baseUrl: string, path: string, query: Record<string, string> = {}): URL {
  const url = new URL(baseUrl.replace(/\/*$/, path));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
