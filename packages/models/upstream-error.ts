import type { LogFields } from '@errand/platform';
import type { FoundWords } from './refusal/find-words.ts';

/**
 * What went wrong at an upstream:
 * - `refused`: it refuses the request (400, 413, 422), which is the caller's fault;
 * - `misconfigured`: it refuses our key, path or model, wants money (402) or redirects, which is the operator's fault;
 * - `busy`: it answered 408, 409, 425, 429 or 5xx;
 * - `broken`: it could not be connected to, or the connection died;
 * - `timeout`: it was too slow;
 * - `unreadable`: its answer could not be read.
 */
export type UpstreamFailure = 'refused' | 'misconfigured' | 'busy' | 'broken' | 'timeout' | 'unreadable';

export interface UpstreamErrorDetails {
  status?: number;
  /** What the answer said, as it came: keys and addresses may be in it, so it goes neither to a log nor to a caller. */
  raw?: FoundWords;
  /** The code of the system's error, such as `ECONNREFUSED`, if the connection failed. */
  systemCode?: string;
  /** The upstream that failed, for the log alone: the model's id, and host and path of the server. */
  model?: string;
  address?: string;
  /** The code for the log: one that is known, because `code` may be any text of the upstream. */
  knownCode?: string;
  /** Why the upstream refused the request, in its own words, for the caller alone: it may hold the caller's text. */
  words?: string;
  /** The `code` of the upstream's error, if it is an identifier. */
  code?: string | null;
  param?: string | null;
  retryAfterSeconds?: number;
  /** Whether the error's text contains `UpstreamRequest.watchFor`. */
  mentioned?: boolean;
  /** True for a `timeout` before the connection was made: nothing was sent. */
  unconnected?: boolean;
}

/** Its message is safe to log and to show: it has no text, address or key of an upstream. `failureFields` makes a log line of it. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly kind: UpstreamFailure;
  readonly status?: number;
  readonly raw?: FoundWords;
  readonly systemCode?: string;
  readonly model?: string;
  readonly address?: string;
  readonly knownCode?: string;
  readonly words?: string;
  readonly code?: string | null;
  readonly param?: string | null;
  readonly retryAfterSeconds?: number;
  readonly mentioned: boolean;
  readonly unconnected: boolean;

  constructor(kind: UpstreamFailure, details: UpstreamErrorDetails = {}) {
    super(details.status === undefined ? `upstream ${kind}` : `upstream ${kind} (${details.status})`);
    this.kind = kind;
    this.mentioned = details.mentioned ?? false;
    this.unconnected = details.unconnected ?? false;
    if (details.status !== undefined) this.status = details.status;
    if (details.words !== undefined) this.words = details.words;
    // Not enumerable: whatever prints or serialises the error must not print this.
    if (details.raw !== undefined)
      Object.defineProperty(this, 'raw', { value: details.raw, enumerable: false });
    if (details.systemCode !== undefined) this.systemCode = details.systemCode;
    if (details.model !== undefined) this.model = details.model;
    if (details.address !== undefined) this.address = details.address;
    if (details.knownCode !== undefined) this.knownCode = details.knownCode;
    if (details.code !== undefined) this.code = details.code;
    if (details.param !== undefined) this.param = details.param;
    if (details.retryAfterSeconds !== undefined) this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** The failure of a connection. Node makes the codes of its errors; no word of an upstream is in them. */
export function brokenBy(error: unknown): UpstreamError {
  const { code } = (error ?? {}) as { code?: unknown };
  return new UpstreamError('broken', typeof code === 'string' ? { systemCode: code } : {});
}

/** True if a retry, or another upstream, may succeed. */
export const isPassing = (error: unknown): error is UpstreamError =>
  error instanceof UpstreamError &&
  (error.kind === 'busy' || error.kind === 'broken' || error.kind === 'timeout');

/** True if the upstream took the request and did not answer before the timeout. */
export const hasStalled = (error: unknown): boolean =>
  error instanceof UpstreamError && error.kind === 'timeout' && !error.unconnected;

export function failureOf(status: number): UpstreamFailure {
  if (status === 400 || status === 413 || status === 422) return 'refused';
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500) return 'busy';
  return 'misconfigured';
}

/** The fields of a log line about a failure, without any text of the upstream. */
export const failureFields = ({ model, address, kind, ...error }: UpstreamError): LogFields => ({
  model,
  address,
  failure: kind,
  status: error.status,
  cause: error.systemCode,
  code: error.knownCode,
});

/** The failure `misconfigured`, for a caller. */
export const notSetUpMessage =
  'The model is not set up: its provider refuses this service. Its operator must mend that.';

/** Why the request was refused, for its caller. */
export const refusalReason = ({ words }: Pick<UpstreamError, 'words'>): string =>
  words ?? 'The model did not accept the request.';
