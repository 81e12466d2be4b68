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
  /** What goes out while nothing else is written. A comment, unless this is called. */
  keepAliveBy(text: string): void;
  /** Resolves when the writer takes text again, and when the client has left. */
  drained(): Promise<void>;
  /** Whether the client has left, or was cut off. */
  left(): boolean;
  /** Calls back once when the client has left, immediately if that is already so. */
  onLeave(callback: () => void): void;
  /** Writes the waiting text and ends the response. Resolves when the end is written, or the client has left. */
  end(): Promise<void>;
  /** Writes the waiting text and nothing after it, for a response that breaks off. */
  stop(): void;
  /** Cuts the client off if it has not taken all that was written, since it would not see an end for long. */
  cutOffIfFull(): void;
}

export interface StreamWriterOptions {
  /** Closes the connection of a client that reads nothing. The default destroys `out`. */
  cutOff?(): void;
}

type Timer = ReturnType<typeof setTimeout>;

interface WriterState {
  out: Writable;
  cutOff(): void;
  /** Text that is not written yet. */
  waiting: string;
  /** Whether a flush comes at the end of this turn of the event loop. */
  scheduled: boolean;
  /** Flushes when the pause of a busy process is over. */
  pause: Timer | undefined;
  writtenAt: number;
  /** Whether the client reads more slowly than we write. */
  full: boolean;
  /** Resolves when everything that waited is written. Undefined while nothing has to wait. */
  room: PromiseWithResolvers<void> | undefined;
  /** The response ends when all that waits is written. */
  ending: boolean;
  /** Cuts off a client that reads nothing. */
  stall: Timer | undefined;
  keepAlive: Timer | undefined;
  keepAliveText: string;
  left: boolean;
  leave(): void;
}

/** A longer text is written in pieces, so that a slow client can be told from a client that reads nothing. */
const pieceCharacters = 64 * 1024;

/**
 * A writer to a Node response or to Lambda's response stream. A comment goes out whenever nothing was written for a
 * while, since proxies give up on silent connections. A client that reads nothing for `streamStallMilliseconds` is cut off.
 */
export function createStreamWriter(out: Writable, options: StreamWriterOptions = {}): StreamWriter {
  const state: WriterState = {
    out,
    cutOff: options.cutOff ?? (() => out.destroy()),
    waiting: '',
    scheduled: false,
    pause: undefined,
    writtenAt: 0,
    full: false,
    room: undefined,
    ending: false,
    stall: undefined,
    keepAlive: undefined,
    keepAliveText: keepAliveComment,
    left: false,
    leave() {},
  };
  state.keepAlive = setTimeout(() => {
    write(state, state.keepAliveText);
    state.keepAlive?.refresh();
  }, limits.keepAliveMilliseconds);
  out.on('drain', () => onDrain(state));
  out.on('finish', () => stopTimers(state));
  out.on('close', () => onClose(state));
  // 'close' reports a connection that was reset. An 'error' without a listener would end the process.
  out.on('error', () => {});
  if (out.destroyed) onClose(state);
  return {
    write: (text) => write(state, text),
    keepAliveBy(text) {
      state.keepAliveText = text;
    },
    drained: async () => state.room?.promise,
    left: () => state.left,
    onLeave(callback) {
      state.leave = callback;
      if (state.left) callback();
    },
    async end() {
      clearTimeout(state.keepAlive);
      state.ending = true;
      flush(state);
      await state.room?.promise;
    },
    stop() {
      clearTimeout(state.keepAlive);
      flush(state);
    },
    cutOffIfFull() {
      if (state.full) cutOff(state);
    },
  };
}

function write(state: WriterState, text: string): boolean {
  const { out } = state;
  if (out.destroyed || state.left) {
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
  const { out } = state;
  state.scheduled = false;
  clearTimeout(state.pause);
  state.pause = undefined;
  if (out.destroyed || state.left) return;
  while (!state.full && state.waiting.length > (state.ending ? pieceCharacters : 0)) writePiece(state);
  if (!state.ending || state.full || out.writableEnded) return;
  out.end(state.waiting);
  state.waiting = '';
  watchStall(state);
}

function writePiece(state: WriterState): void {
  const piece = firstPiece(state.waiting);
  state.waiting = state.waiting.slice(piece.length);
  state.keepAlive?.refresh();
  state.writtenAt = performance.now();
  if (state.out.write(piece)) return;
  state.full = true;
  state.room ??= Promise.withResolvers();
  watchStall(state);
}

/** Both halves of a surrogate pair stay in one piece. */
function firstPiece(text: string): string {
  if (text.length <= pieceCharacters) return text;
  const last = text.charCodeAt(pieceCharacters - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? pieceCharacters - 1 : pieceCharacters);
}

function watchStall(state: WriterState): void {
  clearTimeout(state.stall);
  state.stall = setTimeout(() => {
    // A pipelined response has no socket before the one ahead of it has ended: its client cannot read it yet.
    if ('socket' in state.out && !state.out.socket) return watchStall(state);
    cutOff(state);
  }, limits.streamStallMilliseconds);
}

function cutOff(state: WriterState): void {
  state.cutOff();
  onClose(state);
}

function onDrain(state: WriterState): void {
  clearTimeout(state.stall);
  state.full = false;
  flush(state);
  if (!state.full) makeRoom(state);
}

function onClose(state: WriterState): void {
  stopTimers(state);
  if (!state.out.writableFinished) noteLeft(state);
  state.full = false;
  makeRoom(state);
}

function makeRoom(state: WriterState): void {
  state.room?.resolve();
  state.room = undefined;
}

function stopTimers(state: WriterState): void {
  clearTimeout(state.keepAlive);
  clearTimeout(state.pause);
  clearTimeout(state.stall);
}

function noteLeft(state: WriterState): void {
  if (state.left) return;
  state.left = true;
  state.leave();
}
