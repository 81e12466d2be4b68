import { notSetUpMessage, refusalReason, UpstreamError } from '@errand/models';
import { DomainError, type Envelope, isDomainError, requestError, serverError } from '@errand/platform';
import { capacityMessage } from './errors.ts';

/** Turns an upstream's failure, which is in the log already, into ours, and returns any other error unchanged. */
export function toDomainError(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error;
  const { kind, code = null, param = null } = error;
  if (kind === 'refused')
    return new DomainError('upstream_refused', { message: refusalReason(error), code, param });
  if (kind === 'misconfigured') return new DomainError('upstream_misconfigured');
  return new DomainError(kind === 'unreadable' ? 'unreadable_answer' : 'at_capacity');
}

/** The error event of a stream whose upstream refused after the 200 was sent. */
export function lateRefusal(error: unknown): Envelope {
  if (error instanceof DomainError && error.code === 'upstream_refused') {
    const { message, code, param } = (error as DomainError<'upstream_refused'>).details;
    return requestError(message, code, param);
  }
  if (isDomainError(error, 'upstream_misconfigured')) return serverError(notSetUpMessage, 'not_set_up');
  return serverError(capacityMessage, 'at_capacity');
}

/** The error event of a stream that broke after chunks were delivered. */
export const brokenOff: Envelope = serverError(
  'The model stopped before its answer was complete. Please retry.',
  'upstream_failed',
);

/** The error event of a stream whose key was revoked or has expired, or whose account was frozen. */
export const keyEnded: Envelope = requestError('This API key does not work any more.', 'unauthorized');
