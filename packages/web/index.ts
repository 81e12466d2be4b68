export { defaultFetchLimits, type FetchLimits } from './budget.ts';
export type { WebDeps } from './deps.ts';
export { describeFetchFailure, FetchError, type FetchErrorCode, PageError } from './failure.ts';
export { type FetchedResponse, type FetchInput, guardedFetch, readAll } from './fetch.ts';
