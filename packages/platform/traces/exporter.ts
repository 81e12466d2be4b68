import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { limits } from '../limits.ts';
import { describeError, type Log, type LogFields } from '../log.ts';
import { type Span, writeSpans } from './span.ts';

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

interface ExporterDeps {
  clock: Clock;
  log: Log;
  traces: NonNullable<Config['traces']>;
  /** Tells the spans of one stage from those of another. */
  namespace: string;
}

/** Why spans were not taken. Those of a passing failure are kept and sent later. */
interface Failure {
  isPassing: boolean;
  fields: LogFields;
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
  const fail = (batch: readonly Span[], { isPassing, fields }: Failure) => {
    failedAt = clock();
    if (isPassing) held.unshift(...batch);
    else dropped += batch.length;
    trim();
    log.warn('spans not sent', { ...fields, held: held.length, dropped });
    dropped = 0;
  };
  const sendHeld = async () => {
    const signal = AbortSignal.timeout(limits.spanSendMilliseconds);
    while (held.length > 0 && !signal.aborted && !isPaused()) {
      const batch = held.splice(0, limits.spansPerRequest);
      const failure = await post(deps, batch, signal);
      if (failure) fail(batch, failure);
    }
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

const passing = new Set([429, 502, 503, 504]);

/** Undefined if the collector has taken the batch. */
async function post(
  { traces, namespace }: ExporterDeps,
  batch: readonly Span[],
  signal: AbortSignal,
): Promise<Failure | undefined> {
  try {
    const { status, body } = await request(traces, writeSpans(batch, namespace), signal);
    if (status !== 200) return { isPassing: passing.has(status), fields: { status } };
    const rejected = rejectedSpans(body);
    return rejected > 0 ? { isPassing: false, fields: { status, rejected } } : undefined;
  } catch (error) {
    return { isPassing: true, fields: describeError(signal.aborted ? signal.reason : error) };
  }
}

function request(
  { endpoint, headers }: ExporterDeps['traces'],
  body: string,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const url = new URL(`${endpoint}/v1/traces`);
  // No connection is kept: one that Lambda froze between invocations would fail the next attempt.
  const outgoing = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    agent: false,
    signal,
    headers: {
      'user-agent': 'errand',
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  });
  outgoing.on('error', reject);
  outgoing.on('response', (response) => {
    text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject);
  });
  outgoing.end(body);
  return promise;
}

/** How many spans of the batch the collector has refused, and never wants again. */
function rejectedSpans(body: string): number {
  try {
    const answer = JSON.parse(body) as { partialSuccess?: { rejectedSpans?: unknown } } | null;
    return Number(answer?.partialSuccess?.rejectedSpans ?? 0);
  } catch {
    return 0;
  }
}
