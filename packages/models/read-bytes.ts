import type { IncomingMessage } from 'node:http';
import { brokenBy, UpstreamError } from './upstream-error.ts';

interface ReadOptions {
  limitBytes: number;
  timeoutMilliseconds?: number;
  signal?: AbortSignal;
  /** Called with each part that comes. */
  heard?(): void;
}

/** The whole body. Throws `UpstreamError` (`broken`, `timeout`, `unreadable` past the limit) or the signal's reason. */
export function readBytes(response: IncomingMessage, options: ReadOptions): Promise<Buffer> {
  const { limitBytes, timeoutMilliseconds, signal, heard } = options;
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const fail = (error: unknown) => {
      clearTimeout(timer);
      response.destroy();
      reject(signal?.aborted ? signal.reason : error);
    };
    const timer =
      timeoutMilliseconds === undefined
        ? undefined
        : setTimeout(() => fail(new UpstreamError('timeout')), timeoutMilliseconds);
    response.on('data', (part: Buffer) => {
      heard?.();
      size += part.length;
      if (size > limitBytes) fail(new UpstreamError('unreadable'));
      else parts.push(part);
    });
    response.on('end', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(parts, size));
    });
    response.on('error', (error) => fail(brokenBy(error)));
    // An answer that is cut short emits `close` without `end`.
    response.on('close', () => response.readableEnded || fail(new UpstreamError('broken')));
  });
}
