import { STATUS_CODES } from 'node:http';

type FetchErrorCode =
  | 'invalid_url'
  | 'forbidden_address'
  | 'not_found_host'
  | 'connection'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects'
  | 'bad_status'
  | 'not_a_page'
  | 'over_budget'
  | 'aborted';

const reasons: Record<FetchErrorCode, string> = {
  invalid_url: 'the URL is not a plain http or https address',
  forbidden_address: 'the host is not publicly reachable',
  not_found_host: 'the host was not found',
  connection: 'the connection failed',
  timeout: 'the host took too long to answer',
  too_large: 'the answer is too large',
  too_many_redirects: 'it redirects too many times',
  bad_status: 'the host did not answer with a document',
  not_a_page: 'it is not a page that can be read',
  over_budget: 'this run has fetched from the web what one run may',
  aborted: 'the request was stopped',
};

/** A fetch failed. The message may be shown to callers: it holds no address and nothing that the host sent. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly code: FetchErrorCode;
  readonly status?: number;

  constructor(code: FetchErrorCode, options: { status?: number; reason?: string; cause?: unknown } = {}) {
    super(options.reason ?? reasons[code], options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    if (options.status !== undefined) this.status = options.status;
  }

  static forStatus(status: number): FetchError {
    return new FetchError('bad_status', { status, reason: [status, STATUS_CODES[status]].join(' ').trim() });
  }
}

/** The text that the model gets instead of a document that could not be fetched (docs/api.md, Events). */
export function describeFetchFailure(error: unknown): string {
  const reason = error instanceof FetchError ? error.message : 'the request failed';
  return `Error: Failed to fetch document from URL: ${reason}`;
}
