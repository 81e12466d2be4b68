import { limits } from '@errand/platform';
import { FetchError } from '@errand/web';

/** Why a server could not be asked, in words of ours for the model; undefined if the server itself has worded it. */
export function describeFailure(error: unknown): string | undefined {
  const cause = fetchErrorIn(error);
  if (cause?.code === 'too_large')
    return `its answer is larger than ${limits.remoteAnswerBytes / 1_000_000} MB`;
  if (cause) return cause.message;
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { status?: unknown } };
  const status = data?.status;
  if (status === 401 || status === 403) return `it refuses the authorization of this run (${status})`;
  if (typeof status === 'number') return `it answers with the status ${status}`;
  if (code === 'REQUEST_TIMEOUT') return 'it took too long to answer';
  return typeof code === 'number' ? undefined : 'it does not answer as a server of tools does';
}

function fetchErrorIn(error: unknown): FetchError | undefined {
  if (error instanceof FetchError) return error;
  return error instanceof Error ? fetchErrorIn(error.cause) : undefined;
}
