export type { FetchLimits } from './budget.ts';
export type { WebDeps } from './deps.ts';
export { describeFetchFailure, FetchError, type FetchErrorCode } from './failure.ts';
export { type FetchedResponse, type FetchInput, guardedFetch, readAll } from './fetch.ts';
export { looksLikeImage } from './hosted-kind.ts';
export { mediaTypeOf } from './page/content-kind.ts';
export { readPage } from './page/read-page.ts';
export { createSearch, type Search } from './search/search.ts';
export { SearchError, type SearchResult, type SearchSettings } from './search/settings.ts';
