import type { Writable } from 'node:stream';
import { limits } from '../limits.ts';
import { writePause } from './write-pause.ts';

export const keepAliveComment = ': keep-alive\n\n';

/** Writes the text of an event stream to a client. */
export interface StreamWriter {
  /**
   * Texts of one turn of the event loop share a write. While the process is busy, texts that come close together
   * share one too. False if the caller should wait for `drained`.
   */
  write(text: string): boolean;
  /** Resolves when the writer takes text again, and when the client has left. */
  drained(): Promise<void>;
  /** Whether the client has left, or was cut off. */
  left(): boolean;
  /** Calls back once when the client has left, immediately if that is already so. */
  onLeave(callback: () => void): void;
  /** Writes the waiting text and ends the response. */
  end(): void;
  /** Writes the waiting text and nothing after it, for a response that breaks off. */
  stop(): void;
}

type Timer = ReturnType<typeof setTimeout>;

interface WriterState {
  out: Writable;
  /** Text that is not written yet. */
  waiting: string;
  /** Whether a flush comes at the end of this turn of the event loop. */
  scheduled: boolean;
  /** Flushes when the pause of a busy process is over. */
  pause: Timer | undefined;
  writtenAt: number;
  /** Whether the client reads more slowly than we write. */
  full: boolean;
  room: PromiseWithResolvers<void>;
  /** Cuts off a client that reads nothing. */
  stall: Timer | undefined;
  keepAlive: Timer | undefined;
  left: boolean;
  leave(): void;
}

/**
 * A writer to a Node response or to Lambda's response stream. A comment goes out whenever nothing was written for a
 * while, since proxies give up on silent connections. A client that reads nothing for 60 s is cut off.
 */
export function createStreamWriter(out: Writable): StreamWriter {
  const state: WriterState = {
    out,
    waiting: '',
    scheduled: false,
    pause: undefined,
    writtenAt: 0,
    full: false,
    room: Promise.withResolvers(),
    stall: undefined,
    keepAlive: undefined,
    left: false,
    leave() {},
  };
  state.keepAlive = setTimeout(() => {
    write(state, keepAliveComment);
    state.keepAlive?.refresh();
  }, limits.keepAliveMilliseconds);
  out.on('drain', () => onDrain(state));
  out.on('close', () => onClose(state));
  // 'close' reports a connection that was reset. An 'error' without a listener would end the process.
  out.on('error', () => {});
  if (out.destroyed) onClose(state);
  return {
    write: (text) => write(state, text),
    drained: () => (state.full ? state.room.promise : Promise.resolve()),
    left: () => state.left,
    onLeave(callback) {
      state.leave = callback;
      if (state.left) callback();
    },
    end() {
      clearTimeout(state.keepAlive);
      if (!out.destroyed) out.end(state.waiting);
      state.waiting = '';
    },
    stop() {
      clearTimeout(state.keepAlive);
      flush(state);
    },
  };
}

function write(state: WriterState, text: string): boolean {
  const { out } = state;
  if (out.destroyed) {
    noteLeft(state);
    return false;
  }
  state.waiting += text;
  // A generator that always has more text would never let the turn end.
  if (state.waiting.length >= out.writableHighWaterMark) flush(state);
  else if (!state.scheduled && !state.full) schedule(state);
  return !state.full;
}

/**
 * A write costs more than all else that is done for a text, so a busy process writes less often. A text that comes
 * within the pause after a write waits for the end of the pause. The next text ends that wait early, unless the
 * process is full.
 */
function schedule(state: WriterState): void {
  const now = performance.now();
  const pause = writePause(now);
  const isPaired = state.pause !== undefined && pause <= limits.busyWriteMilliseconds;
  if (now - state.writtenAt >= pause || isPaired) {
    state.scheduled = true;
    process.nextTick(flush, state);
  } else state.pause ??= setTimeout(flush, pause, state);
}

function flush(state: WriterState): void {
  const { out, waiting } = state;
  state.scheduled = false;
  clearTimeout(state.pause);
  state.pause = undefined;
  if (waiting === '' || state.full || out.destroyed) return;
  state.waiting = '';
  state.keepAlive?.refresh();
  state.writtenAt = performance.now();
  if (out.write(waiting)) return;
  state.full = true;
  state.room = Promise.withResolvers();
  state.stall = setTimeout(() => out.destroy(), limits.streamStallMilliseconds);
}

function onDrain(state: WriterState): void {
  clearTimeout(state.stall);
  state.full = false;
  flush(state);
  if (!state.full) state.room.resolve();
}

function onClose(state: WriterState): void {
  clearTimeout(state.keepAlive);
  clearTimeout(state.pause);
  clearTimeout(state.stall);
  state.full = false;
  state.room.resolve();
  if (!state.out.writableFinished) noteLeft(state);
}

function noteLeft(state: WriterState): void {
  if (state.left) return;
  state.left = true;
  state.leave();
}
