import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { describeError, type LogFields } from '../log.ts';
import { type Span, writeSpans } from './span.ts';

export interface Receiver {
  traces: NonNullable<Config['traces']>;
  /** Tells the spans of one stage from those of another. */
  namespace: string;
}

/** Why spans were not taken. Those of a passing failure are kept and sent later. */
export interface Failure {
  isPassing: boolean;
  fields: LogFields;
}

const passing = new Set([429, 502, 503, 504]);

/** Undefined if the collector has taken the batch. */
export async function post(
  { traces, namespace }: Receiver,
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
  { endpoint, headers }: Receiver['traces'],
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
