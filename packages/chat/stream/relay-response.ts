import type { IncomingMessage } from 'node:http';
import { brokenBy, brokenByEvent, type ModelUpstream, UpstreamError } from '@errand/models';
import type { Clock, StreamWriter } from '@errand/platform';
import type { EventRelay, StreamAnswer } from '../dialect.ts';
import type { Meter } from './meter.ts';
import { createEventReader, type EventReader } from './read-events.ts';
import type { Relayed } from './relayed.ts';

export interface UpstreamStream {
  upstream: ModelUpstream;
  answer: StreamAnswer;
  relayed: Relayed;
  /** The time from the request to the last byte that came, or to the end of a stream that broke off. */
  inferenceMilliseconds(): number;
  /** Writes the chunks that came already and all later ones. Resolves at the upstream's end, with whether the answer is whole. */
  pipe(writer: StreamWriter): Promise<boolean>;
  /** What ended the stream. */
  failure(): UpstreamError;
}

interface RelayInput {
  upstream: ModelUpstream;
  clock: Clock;
  response: IncomingMessage;
  relay: EventRelay;
  answer: StreamAnswer;
  startedAt: number;
  /** An upstream that is silent for longer has failed. */
  silenceMilliseconds: number;
  /** An upstream that sends nothing but signs of life for longer has failed too. */
  pingMilliseconds: number;
  /** Called with each part of the answer. */
  heard(): void;
  signal: AbortSignal;
  meter: Meter;
}

interface ReadEvent {
  data: string;
  isError: boolean;
}

interface RelayState extends RelayInput {
  reader: EventReader;
  phase: 'opening' | 'open' | 'over';
  /** Resolves with the first chunk. */
  opened: PromiseWithResolvers<UpstreamStream>;
  /** Resolves when the phase is over, with whether the answer is whole. */
  ended: PromiseWithResolvers<boolean>;
  /** Whether an error or unreadable data came. Nothing is passed on after it. */
  failed: boolean;
  /** Events that came while the meter counts. */
  waiting: ReadEvent[] | undefined;
  /** What ended the stream: what came first. Set while the meter still counts, too. */
  endsWith: UpstreamError | undefined;
  /** Text that came before there was a writer. */
  early: string;
  writer: StreamWriter | undefined;
  lastByteAt: number;
  stall: NodeJS.Timeout;
  /** Restarted by content alone. */
  pings: NodeJS.Timeout;
}

const tailMilliseconds = 1_000;

/** Resolves with the first chunk. Until then a failure is an `UpstreamError`, so that a fallback can be tried. */
export function relayResponse(input: RelayInput): Promise<UpstreamStream> {
  const { response, startedAt } = input;
  const state: RelayState = {
    ...input,
    reader: createEventReader((data, isError) => onEvent(state, { data, isError })),
    phase: 'opening',
    opened: Promise.withResolvers(),
    ended: Promise.withResolvers(),
    failed: false,
    waiting: undefined,
    endsWith: undefined,
    early: '',
    writer: undefined,
    lastByteAt: startedAt,
    stall: setTimeout(() => onStall(state, state.stall), input.silenceMilliseconds),
    pings: setTimeout(() => onStall(state, state.pings), input.pingMilliseconds),
  };
  response.on('data', (packet: Buffer) => onPacket(state, packet));
  response.on('end', () => {
    state.reader.end();
    open(state);
    conclude(state, new UpstreamError(isStream(response) ? 'broken' : 'unreadable'));
  });
  response.on('error', (error) => conclude(state, brokenBy(error)));
  response.on('close', () => conclude(state, new UpstreamError('broken')));
  return state.opened.promise;
}

/** An upstream in trouble may send a page. */
const isStream = ({ headers }: IncomingMessage): boolean =>
  /^text\/event-stream\b/i.test(headers['content-type'] ?? '');

function onPacket(state: RelayState, packet: Buffer): void {
  if (state.phase === 'over') return;
  state.lastByteAt = state.clock();
  state.stall.refresh();
  state.heard();
  if (!state.reader.push(packet)) state.failed = true;
  open(state);
  if (state.failed || state.relay.relayed.done) conclude(state, new UpstreamError('broken'));
}

function onEvent(state: RelayState, event: ReadEvent): void {
  if (state.waiting) return void state.waiting.push(event);
  const { done, written } = state.relay.relayed;
  if (!done && !state.failed && state.meter.isDue(written, meteredOf(state, event)))
    holdUp(state, event).catch(() => conclude(state, new UpstreamError('broken')));
  else pass(state, event);
}

const meteredOf = ({ relay }: RelayState, { data }: ReadEvent): string => relay.metered?.(data) ?? data;

function pass(state: RelayState, { data, isError }: ReadEvent): void {
  const { written } = state.relay.relayed;
  const before = written.mostTokens();
  const text = state.failed || isError ? undefined : state.relay.accept(data);
  if (written.mostTokens() !== before) state.pings.refresh();
  if (text === undefined) {
    state.failed = true;
    state.endsWith ??= brokenByEvent(data);
  } else if (text !== '') send(state, text);
}

/**
 * Holds events back until more is set aside for the stream. Without more, the stream ends with the reason `length`.
 */
async function holdUp(state: RelayState, event: ReadEvent): Promise<void> {
  const { relayed } = state.relay;
  const waiting: ReadEvent[] = [];
  state.waiting = waiting;
  state.response.pause();
  const goesOn = await state.meter.extend(relayed.written, meteredOf(state, event));
  state.waiting = undefined;
  if (state.phase === 'over') return;
  if (!goesOn) {
    relayed.held = undefined;
    relayed.finished = { index: 0, finish_reason: 'length' };
    open(state);
    return conclude(state, new UpstreamError('broken'));
  }
  state.response.resume();
  pass(state, event);
  for (const next of waiting) onEvent(state, next);
  open(state);
  if (state.waiting) return;
  if (state.failed || relayed.done) conclude(state, new UpstreamError('broken'));
  else if (state.endsWith) conclude(state, state.endsWith);
}

function onStall(state: RelayState, timer: NodeJS.Timeout): void {
  // A paused upstream is silent because the client does not read.
  if (state.response.isPaused()) timer.refresh();
  else conclude(state, new UpstreamError('timeout'));
}

/** Resolves `opened` once there is a chunk. One without text, before an error, is none. */
function open(state: RelayState): void {
  const { relayed } = state.relay;
  if (state.phase !== 'opening' || (state.early === '' && !relayed.held && !relayed.finished)) return;
  if (state.failed && relayed.written.mostTokens() === 0) return;
  state.phase = 'open';
  state.opened.resolve({
    upstream: state.upstream,
    answer: state.answer,
    relayed,
    inferenceMilliseconds: () => state.lastByteAt - state.startedAt,
    pipe: (writer) => pipe(state, writer),
    failure: () => state.endsWith ?? new UpstreamError('broken'),
  });
}

function pipe(state: RelayState, writer: StreamWriter): Promise<boolean> {
  state.writer = writer;
  if (state.early !== '') send(state, state.early);
  return state.ended.promise;
}

function send(state: RelayState, text: string): void {
  const { writer, response } = state;
  if (!writer) state.early += text;
  else if (!writer.write(text) && !response.isPaused()) {
    response.pause();
    void writer.drained().then(() => {
      state.stall.refresh();
      state.pings.refresh();
      response.resume();
    });
  }
}

/** Ends the relay. The failure is reported only if no chunk came. */
function conclude(state: RelayState, failure: UpstreamError): void {
  const { phase, response, signal } = state;
  if (phase === 'over') return;
  state.endsWith ??= failure;
  if (state.waiting && !signal.aborted) return;
  state.phase = 'over';
  clearTimeout(state.stall);
  clearTimeout(state.pings);
  const { done, finished } = state.relay.relayed;
  // A model that thinks is at work, though it says nothing. A paused upstream waits for the client.
  if (!done && !response.isPaused()) state.lastByteAt = state.clock();
  if (done) releaseConnection(response);
  else response.destroy();
  if (phase === 'open') state.ended.resolve(done || (finished !== undefined && !state.failed));
  else state.opened.reject(signal.aborted ? signal.reason : state.endsWith);
}

/** Reads and drops what an upstream sends after its end, so that its connection can be used again. Gives up after a second. */
function releaseConnection(response: IncomingMessage): void {
  const timer = setTimeout(() => response.destroy(), tailMilliseconds);
  timer.unref();
  response.once('close', () => clearTimeout(timer));
  response.resume();
}
