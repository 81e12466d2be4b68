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
}

export interface SearchProvider {
  request(query: string): { url: URL; method?: 'POST'; headers?: Record<string, string>; body?: string };
  /** Throws when the answer does not have the provider's shape. */
  read(answer: unknown): SearchResult[];
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
