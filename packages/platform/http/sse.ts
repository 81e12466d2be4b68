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
