import { type LogFields, limits } from '@errand/platform';
import type { ModelUpstream } from './catalogue.ts';
import type { UpstreamDeps } from './deps.ts';
import type { UpstreamFailure } from './upstream-error.ts';

interface Logged {
  at: number;
  /** The number of failures since the last line. */
  leftOut: number;
}

interface RareLine {
  level: 'warn' | 'error';
  message: string;
  failure: UpstreamFailure;
  fields: LogFields;
}

const logged = new WeakMap<ModelUpstream, Map<string, Logged>>();

/**
 * An upstream in trouble fails every request: one line a minute for each upstream, message and failure, which counts the
 * others.
 */
export function logRarely(
  { clock, log }: UpstreamDeps,
  upstream: ModelUpstream,
  { level, message, failure, fields }: RareLine,
): void {
  const lines = logged.get(upstream) ?? new Map<string, Logged>();
  logged.set(upstream, lines);
  const key = `${message} ${failure}`;
  const { at, leftOut } = lines.get(key) ?? { at: Number.NEGATIVE_INFINITY, leftOut: 0 };
  const now = clock();
  // A clock that was set back must not silence the log.
  const isSoon = now >= at && now - at < limits.sameFailureMilliseconds;
  lines.set(key, isSoon ? { at, leftOut: leftOut + 1 } : { at: now, leftOut: 0 });
  if (!isSoon) log[level](message, { ...fields, ...(leftOut > 0 && { leftOut }) });
}
