import { streamBody } from './stream-body.ts';

/** One server-sent event. `data` must be one line (JSON is). */
export function formatEvent(event: { id?: number | string; name?: string; data: string }): string {
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  const name = event.name === undefined ? '' : `event: ${event.name}\n`;
  return `${id}${name}data: ${event.data}\n\n`;
}

export const formatRetry = (milliseconds: number): string => `retry: ${milliseconds}\n\n`;

/** Headers that keep proxies from buffering or compressing a stream, which would delay its events. */
export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/**
 * A response that sends what the generator yields. The signal aborts when the reader leaves; when the generator
 * throws, the connection breaks, so that a client sees a failure and not an end. The generator's `cutOff` breaks it too
 * if the client does not read at that moment; otherwise the generator can end the response itself.
 */
export function streamResponse(
  headers: Record<string, string>,
  generate: (signal: AbortSignal, cutOff: () => void) => AsyncGenerator<string>,
  clientSignal?: AbortSignal,
): Response {
  const body = streamBody(async (writer) => {
    const left = new AbortController();
    writer.onLeave(() => left.abort());
    const signal = clientSignal ? AbortSignal.any([left.signal, clientSignal]) : left.signal;
    for await (const text of generate(signal, writer.cutOffIfFull)) {
      if (!writer.write(text)) await writer.drained();
      if (writer.left()) break;
    }
  });
  return new Response(body, { headers });
}
