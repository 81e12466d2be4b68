import { UpstreamError } from '@errand/models';
import { DomainError, type Envelope, type Log, requestError, serverError } from '@errand/platform';
import { capacityMessage } from './at-capacity.ts';

/**
 * Turns an upstream's failure into our refusal and returns any other error unchanged. Logs an error if the set-up is
 * wrong.
 */
export function toRefusal(log: Log, modelId: string, error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error;
  const fields = { model: modelId, failure: error.kind, status: error.status };
  if (error.kind === 'refused') {
    return new DomainError('upstream_refused', { code: error.code ?? null, param: error.param ?? null });
  }
  if (error.kind === 'misconfigured') {
    log.error('upstream does not accept our set-up', fields);
    return new DomainError('upstream_misconfigured');
  }
  log.warn('upstream failed', fields);
  return new DomainError(error.kind === 'unreadable' ? 'unreadable_answer' : 'at_capacity');
}

/** The error event of a stream whose upstream refused after the 200 was sent. */
export function lateRefusal(error: unknown): Envelope {
  if (error instanceof DomainError && error.code === 'upstream_refused') {
    const { code, param } = (error as DomainError<'upstream_refused'>).details;
    return requestError('The model did not accept the request.', code, param);
  }
  return serverError(capacityMessage, 'at_capacity');
}

/** The error event of a stream that broke after chunks were delivered. */
export const brokenOff: Envelope = serverError(
  'The model stopped before its answer was complete. Please retry.',
  'upstream_failed',
);

/** The error event of a stream whose key was revoked or has expired, or whose account was frozen. */
export const keyEnded: Envelope = requestError('This API key does not work any more.', 'unauthorized');
