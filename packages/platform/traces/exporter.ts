import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Log, LogFields } from '../log.ts';
import type { Failure, Receiver } from './post.ts';
import type { Span } from './span.ts';

/** Where spans go. Nothing of it throws, and nobody waits for `add`. */
export interface SpanExporter {
  /** Takes spans, which are sent later. Of more than `limits.spansHeld` the oldest are dropped. */
  add(spans: readonly Span[]): void;
  /** Sends what is held. Resolves when it is sent, or after one attempt of `limits.spanSendMilliseconds`. */
  flush(): Promise<void>;
  /** Whether providers and servers of tools are told of the trace. */
  propagates: boolean;
  /** Whether spans have what callers ask and are answered. */
  capturesContent: boolean;
}

interface ExporterDeps extends Receiver {
  clock: Clock;
  log: Log;
}

/**
 * Sends spans in batches to a collector (OTLP over HTTP, with JSON). After a failure nothing is sent for `limits.spanPauseMilliseconds`: a
 * collector that is down costs one short attempt and one line of the log in that time.
 */
export function createSpanExporter(deps: ExporterDeps): SpanExporter {
  const { clock, log, traces } = deps;
  const held: Span[] = [];
  let dropped = 0;
  let failedAt = Number.NEGATIVE_INFINITY;
  let toldAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> | undefined;

  // A clock that was set back must not silence the sender.
  const isPaused = () => clock() >= failedAt && clock() - failedAt < limits.spanPauseMilliseconds;
  const trim = () => {
    const over = Math.max(0, held.length - limits.spansHeld);
    held.splice(0, over);
    dropped += over;
  };
  const plan = () => {
    if (timer) return;
    timer = setTimeout(() => void flush(), limits.spanBatchMilliseconds);
    timer.unref();
  };
  const tell = (fields: LogFields) => {
    toldAt = clock();
    log.warn('spans not sent', { ...fields, held: held.length, dropped });
    dropped = 0;
  };
  /** What was dropped is one line in a pause, whatever the collector answers. */
  const tellAgain = (fields: LogFields) => {
    if (dropped > 0 && clock() - toldAt >= limits.spanPauseMilliseconds) tell(fields);
  };
  const fail = (batch: readonly Span[], { isPassing, fields, rejected }: Failure) => {
    // A collector that has taken the others works.
    if (rejected !== undefined) {
      dropped += Math.min(rejected, batch.length);
      return tellAgain(fields);
    }
    failedAt = clock();
    if (isPassing) held.unshift(...batch);
    else dropped += batch.length;
    trim();
    tell(fields);
  };
  const sendHeld = async () => {
    // Loaded here, so that a start without spans does not pay for it.
    const { post } = await import('./post.ts');
    const signal = AbortSignal.timeout(limits.spanSendMilliseconds);
    while (held.length > 0 && !signal.aborted && !isPaused()) {
      const batch = held.splice(0, limits.spansPerRequest);
      const failure = await post(deps, batch, signal);
      if (failure) fail(batch, failure);
    }
    tellAgain({});
  };
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendHeld().finally(() => {
      sending = undefined;
      if (held.length > 0) plan();
    });
    return sending;
  }
  return {
    propagates: traces.propagate,
    capturesContent: traces.captureContent,
    add(spans) {
      held.push(...spans);
      trim();
      if (held.length >= limits.spansPerRequest && !sending && !isPaused()) void flush();
      else plan();
    },
    flush: () => (held.length === 0 && !sending ? Promise.resolve() : flush()),
  };
}
