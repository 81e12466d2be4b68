import { createHash } from 'node:crypto';

/** The span that another span hangs under: W3C Trace Context, without its flags. */
export interface TraceContext {
  traceId: string;
  spanId: string;
}

const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** The context of a header `traceparent`. Undefined for one that the recommendation calls invalid. */
export function readTraceparent(header: string | undefined): TraceContext | undefined {
  const [, version, traceId, spanId, more] = form.exec(header ?? '') ?? [];
  // Later versions may append fields, the first may not.
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined))
    return undefined;
  return { traceId, spanId };
}

/** The header for who is asked within the span. Every span is sent, so the trace is marked as sampled. */
export const writeTraceparent = ({ traceId, spanId }: TraceContext): string => `00-${traceId}-${spanId}-01`;

/** The ids of a piece of work are made of its own id, so that its span is the same span whenever it is made. */
export const contextOfWork = (id: string, parent: TraceContext | undefined): TraceContext => ({
  traceId: parent?.traceId ?? hash(`trace of ${id}`).slice(0, 32),
  spanId: hash(`span of ${id}`).slice(0, 16),
});

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
