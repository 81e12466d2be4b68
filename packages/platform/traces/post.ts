import http from 'node:http';
import https from 'node:https';
import type { Config } from '../config.ts';
import { refuseUpgrade } from '../http/refuse-upgrade.ts';
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
  /** How many spans of the batch were refused, where the others were taken. */
  rejected?: number;
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
    // The protocol has 200 alone, but collectors behind a queue answer 202 or 204.
    if (status < 200 || status > 299) return { isPassing: passing.has(status), fields: { status } };
    const rejected = rejectedSpans(body);
    return rejected > 0 ? { isPassing: false, rejected, fields: { status, rejected } } : undefined;
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
  refuseUpgrade(outgoing);
  outgoing.on('response', (response) => {
    readStart(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject);
  });
  outgoing.end(body);
  return promise;
}

const mostAnswerBytes = 64 * 1024;

/** The beginning of an answer, which is all of an honest one. The rest is not read. */
async function readStart(response: http.IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response) {
    pieces.push(piece);
    size += piece.length;
    if (size > mostAnswerBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, mostAnswerBytes).toString();
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
