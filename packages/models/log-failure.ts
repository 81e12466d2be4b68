import type { ModelUpstream } from './catalogue.ts';
import type { Upstreams } from './circuit.ts';
import type { UpstreamDeps } from './deps.ts';
import { logRarely } from './log-rarely.ts';
import { addressOf } from './upstream-address.ts';
import { failureFields, type UpstreamError } from './upstream-error.ts';

/** One failure of one of a model's upstreams. */
export interface UpstreamFailed {
  model: Pick<Upstreams, 'id'>;
  upstream: ModelUpstream;
  error: UpstreamError;
}

/** Logs that an upstream failed. Refusals of a request or of our set-up have lines of their own: `settleRefusal`. */
export function logFailure(
  deps: UpstreamDeps,
  { model, upstream, error }: UpstreamFailed,
  message = 'upstream failed',
): void {
  const fields = { ...failureFields(error), model: model.id, address: addressOf(upstream) };
  logRarely(deps, upstream, { level: 'warn', message, failure: error.kind, fields });
}
