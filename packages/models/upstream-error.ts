/**
 * What went wrong at an upstream:
 * - `refused`: it does not accept the request (the caller's fault);
 * - `misconfigured`: it does not accept us (the operator's fault);
 * - `busy`: 429 or 5xx; `broken`: no connection, or one that died; `timeout`: too slow;
 * - `unreadable`: it answered, but not in a way that we can read.
 */
export type UpstreamFailure = 'refused' | 'misconfigured' | 'busy' | 'broken' | 'timeout' | 'unreadable';

export interface UpstreamErrorDetails {
  status?: number;
  /** The upstream's own word for it, if it is an identifier. */
  code?: string | null;
  param?: string | null;
  retryAfterSeconds?: number;
  /** Whether its text has the word that the request was watching for. */
  mentioned?: boolean;
}

/** Never holds an upstream's text, address or key. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly kind: UpstreamFailure;
  readonly status?: number;
  readonly code?: string | null;
  readonly param?: string | null;
  readonly retryAfterSeconds?: number;
  readonly mentioned: boolean;

  constructor(kind: UpstreamFailure, details: UpstreamErrorDetails = {}) {
    super(details.status === undefined ? `upstream ${kind}` : `upstream ${kind} (${details.status})`);
    this.kind = kind;
    this.mentioned = details.mentioned ?? false;
    if (details.status !== undefined) this.status = details.status;
    if (details.code !== undefined) this.code = details.code;
    if (details.param !== undefined) this.param = details.param;
    if (details.retryAfterSeconds !== undefined) this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Whether another try, or another upstream, may do better. */
export const isPassing = (error: unknown): error is UpstreamError =>
  error instanceof UpstreamError &&
  (error.kind === 'busy' || error.kind === 'broken' || error.kind === 'timeout');

export function failureOf(status: number): UpstreamFailure {
  if (status === 400 || status === 413 || status === 422) return 'refused';
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500) return 'busy';
  return 'misconfigured';
}
