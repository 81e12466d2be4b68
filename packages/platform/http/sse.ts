/** One server-sent event. `data` must be one line (JSON is). */
export function formatEvent(event: { id?: number | string; name?: string; data: string }): string {
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  const name = event.name === undefined ? '' : `event: ${event.name}\n`;
  return `${id}${name}data: ${event.data}\n\n`;
}

export const keepAliveComment = ': keep-alive\n\n';

export const formatRetry = (milliseconds: number): string => `retry: ${milliseconds}\n\n`;

/** Buffering proxies and compressing ones would hold events back. */
export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/**
 * A response that sends what the generator yields. The signal aborts when the reader leaves; when the generator
 * throws, the connection breaks, so that a client sees a failure and not an end.
 */
export function streamResponse(
  headers: Record<string, string>,
  generate: (signal: AbortSignal) => AsyncGenerator<string>,
  clientSignal?: AbortSignal,
): Response {
  const left = new AbortController();
  const signal = clientSignal ? AbortSignal.any([left.signal, clientSignal]) : left.signal;
  const chunks = generate(signal);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        controller.error(error);
      }
    },
    cancel() {
      left.abort();
      // A generator that waits for its reader, rather than for news, hears of no signal.
      void chunks.return(undefined).catch(() => {});
    },
  });
  return new Response(body, { headers });
}
