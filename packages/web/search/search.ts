import { limits, type SearchProviderName, searchProviders } from '@errand/platform';
import { brave } from './brave.ts';
import { searxng } from './searxng.ts';
import {
  resultsPerSearch,
  SearchError,
  type SearchProvider,
  type SearchQuery,
  type SearchResult,
  type SearchSettings,
} from './settings.ts';
import { tavily } from './tavily.ts';
import { wikipedia } from './wikipedia.ts';

export const searchLimits = { milliseconds: 20_000, answerBytes: 2_000_000 } as const;

export interface Search {
  /** `since` is a day, as `YYYY-MM-DD`: no result is known to be older. */
  (input: { query: string; since?: string; signal?: AbortSignal }): Promise<SearchResult[]>;
  /** The provider cannot search by date, so that `since` changes nothing. */
  ignoresDates?: true;
}

/**
 * Web search by the operator's provider, whose address may be private. A search gives up to eight results. Throws
 * `SearchError`: at once for settings that cannot work, else from the search.
 */
export function createSearch(settings: SearchSettings): Search {
  const provider = createProvider(settings);
  const search: Search = async ({ query, since, signal }) => {
    const text = query.trim().slice(0, limits.searchQueryCharacters);
    if (text === '') throw new SearchError('the search query is empty');
    const timeout = AbortSignal.timeout(searchLimits.milliseconds);
    const until = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const answer = await ask(provider, { text, since }, until).catch((error) => {
      if (error instanceof SearchError) throw error;
      if (signal?.aborted) throw new SearchError('the search was stopped');
      throw new SearchError(
        timeout.aborted ? 'the search took too long' : 'the search provider cannot be reached',
      );
    });
    return readResults(provider, answer, since);
  };
  return Object.assign(search, { ignoresDates: provider.ignoresDates });
}

const providers: Record<SearchProviderName, (settings: SearchSettings) => SearchProvider> = {
  wikipedia,
  searxng,
  brave,
  tavily,
};

function createProvider(settings: SearchSettings): SearchProvider {
  const { provider, baseUrl, apiKey } = settings;
  const need: string | undefined = searchProviders[provider];
  if (need === 'SEARCH_API_KEY' && !apiKey) throw new SearchError(`${provider} needs an API key`);
  if (need === 'SEARCH_BASE_URL' && !baseUrl)
    throw new SearchError(`${provider} has no public service: its base URL is needed`);
  if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
    throw new SearchError('the base URL of the search provider is not an http or https URL');
  }
  return providers[provider](settings);
}

async function ask(provider: SearchProvider, query: SearchQuery, signal: AbortSignal): Promise<string> {
  const { url, headers, ...request } = provider.request(query);
  const response = await fetch(url, {
    ...request,
    headers: {
      accept: 'application/json',
      'user-agent': 'Errand/0.1 (web search for agent runs)',
      ...headers,
    },
    // Following a redirect would send the key to a host that nobody configured.
    redirect: 'manual',
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new SearchError(explainStatus(response.status));
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > searchLimits.answerBytes)
      throw new SearchError('the answer of the search provider is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function explainStatus(status: number): string {
  if (status === 401 || status === 403) return 'the search provider refused access';
  if (status === 429) return 'the search provider is asked too often; try again later';
  return `the search provider answered ${status}`;
}

function readResults(provider: SearchProvider, answer: string, since = ''): SearchResult[] {
  try {
    const results = provider.read(JSON.parse(answer));
    return results
      .filter(({ url, date }) => /^https?:/i.test(url) && (date === undefined || date >= since))
      .slice(0, resultsPerSearch);
  } catch {
    throw new SearchError('the answer of the search provider cannot be read');
  }
}
