import type { components } from './schema.ts';

type Run = components['schemas']['Run'];

interface ErrorDetails {
  status: number;
  code?: string;
  requestId?: string;
  retryAfterMilliseconds?: number;
  body?: unknown;
  cause?: unknown;
}

/** An answer of the service that refuses, with the service's own words as `message`. */
export class ErrandError extends Error {
  // Written out, because bundlers shorten the names of classes.
  override readonly name: string = 'ErrandError';
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** The name of the refusal, where the service gives one. */
  declare readonly code?: string;
  /** The id by which the operator finds the request in the log. */
  declare readonly requestId?: string;
  /** How long the service asks to wait before the next try. */
  declare readonly retryAfterMilliseconds?: number;
  /** The answer's body: JSON as it was read, anything else as text. */
  readonly body: unknown;

  constructor(
    message: string,
    { status, code, requestId, retryAfterMilliseconds, body, cause }: ErrorDetails,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    if (code !== undefined) this.code = code;
    if (requestId !== undefined) this.requestId = requestId;
    if (retryAfterMilliseconds !== undefined) this.retryAfterMilliseconds = retryAfterMilliseconds;
    this.body = body;
  }
}

/** 401: the key is unknown, revoked or expired. */
export class UnauthorizedError extends ErrandError {
  override readonly name = 'UnauthorizedError';
}
/** 402: the account has no credits left, or the key's budget is spent. */
export class CreditsError extends ErrandError {
  override readonly name = 'CreditsError';
}
/** 403: the key may not do this. */
export class ForbiddenError extends ErrandError {
  override readonly name = 'ForbiddenError';
}
/** 404. */
export class NotFoundError extends ErrandError {
  override readonly name = 'NotFoundError';
}
/** 400, 413, 415 and 422: the request is wrong, and will be so again. */
export class InvalidRequestError extends ErrandError {
  override readonly name = 'InvalidRequestError';
}
/** 429. */
export class RateLimitError extends ErrandError {
  override readonly name = 'RateLimitError';
}
/** 5xx. */
export class UnavailableError extends ErrandError {
  override readonly name = 'UnavailableError';
}
/** A run that has ended without what was asked of it: it failed, asks for something, or has another value than its schema wants. */
export class RunError extends ErrandError {
  override readonly name = 'RunError';
  readonly run: Run;

  constructor(message: string, run: Run) {
    super(message, { status: 200, body: run });
    this.run = run;
  }
}
/** There was no answer, or it broke off. */
export class ConnectionError extends ErrandError {
  override readonly name = 'ConnectionError';

  constructor(message: string, cause?: unknown) {
    super(message, { status: 0, cause });
  }
}

const classes: Record<number, typeof ErrandError> = {
  400: InvalidRequestError,
  401: UnauthorizedError,
  402: CreditsError,
  403: ForbiddenError,
  404: NotFoundError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
};

/** The error of the class that the status has. */
export function errorOf(message: string, details: ErrorDetails): ErrandError {
  const fallback = details.status >= 500 ? UnavailableError : ErrandError;
  return new (classes[details.status] ?? fallback)(message, details);
}
