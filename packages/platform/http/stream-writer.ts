import type { Writable } from 'node:stream';
import { limits } from '../limits.ts';
import { writePause } from './write-pause.ts';

export const keepAliveComment = ': keep-alive\n\n';

/** Writes the text of an event stream to a client. */
export interface StreamWriter {
  /** Texts of one turn of the event loop share a write, closer ones while the process is busy. False if nothing more should come until `drained`. */
  write(text: string): boolean;
  /** Resolves when more should come, and when the client has left. */
  drained(): Promise<void>;
  /** Whether the client has left, or was cut off. */
  left(): boolean;
  /** Calls back once when the client has left, at once if it is gone. */
  onLeave(callback: () => void): void;
  /** Writes what waits, and ends the response. */
  end(): void;
  /** Writes what waits and then nothing more, for a response that breaks off. */
  stop(): void;
}

/**
 * A writer to a Node response or to Lambda's response stream. A comment goes out whenever nothing was written for a
 * while, since proxies give up on silent connections. A client that reads nothing for 60 s is cut off.
 */
export function createStreamWriter(out: Writable): StreamWriter {
  let left = false;
  let leave: () => void = () => {};
  let waiting = '';
  let scheduled = false;
  let held: ReturnType<typeof setTimeout> | undefined;
  let writtenAt = 0;
  let full = false;
  let room = Promise.withResolvers<void>();
  let stall: ReturnType<typeof setTimeout> | undefined;
  const keepAlive = setTimeout(() => {
    write(keepAliveComment);
    keepAlive.refresh();
  }, limits.keepAliveMilliseconds);

  const flush = () => {
    scheduled = false;
    clearTimeout(held);
    held = undefined;
    if (waiting === '' || full || out.destroyed) return;
    const text = waiting;
    waiting = '';
    keepAlive.refresh();
    writtenAt = performance.now();
    if (out.write(text)) return;
    full = true;
    room = Promise.withResolvers();
    stall = setTimeout(() => out.destroy(), limits.streamStallMilliseconds);
  };
  // A write costs more than all else that is done for a text. While the process is busy a text that comes soon after a
  // write waits for the next one, which takes it along at once, or in a full process for the end of the pause.
  const schedule = () => {
    const now = performance.now();
    const pause = writePause(now);
    if (now - writtenAt >= pause || (held && pause <= limits.busyWriteMilliseconds)) {
      scheduled = true;
      process.nextTick(flush);
    } else held ??= setTimeout(flush, pause);
  };
  const write = (text: string): boolean => {
    if (out.destroyed) {
      noteLeft();
      return false;
    }
    waiting += text;
    // A generator that always has more would let no turn end.
    if (waiting.length >= out.writableHighWaterMark) flush();
    else if (!scheduled && !full) schedule();
    return !full;
  };

  out.on('drain', () => {
    clearTimeout(stall);
    full = false;
    flush();
    if (!full) room.resolve();
  });
  const noteLeft = () => {
    if (left) return;
    left = true;
    leave();
  };
  const close = () => {
    clearTimeout(keepAlive);
    clearTimeout(held);
    clearTimeout(stall);
    full = false;
    room.resolve();
    if (!out.writableFinished) noteLeft();
  };
  out.on('close', close);
  // 'close' tells of a connection that was reset; an 'error' without a listener would end the process.
  out.on('error', () => {});
  if (out.destroyed) close();

  return {
    write,
    drained: () => (full ? room.promise : Promise.resolve()),
    left: () => left,
    onLeave(callback) {
      leave = callback;
      if (left) leave();
    },
    end() {
      clearTimeout(keepAlive);
      if (!out.destroyed) out.end(waiting);
      waiting = '';
    },
    stop() {
      clearTimeout(keepAlive);
      flush();
    },
  };
}
