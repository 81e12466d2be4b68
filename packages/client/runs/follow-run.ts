import { type Connection, send, withSignal } from '../connection/connection.ts';
import { readEvents } from '../connection/read-events.ts';
import { parseObject } from '../connection/read-json.ts';
import { growingPause, isPassing } from '../connection/retry.ts';
import { ConnectionError, type ErrandError } from '../errors.ts';
import type { components } from '../schema.ts';
import { runPath } from './run-path.ts';

/** An event of a run with its number, from 1. */
export type RunEvent = components['schemas']['RunEvent'] & { id: number };

export interface Reconnect {
  /** How often in a row there was no sign of life. */
  failures: number;
  pauseMilliseconds: number;
  /** The number of the last event that came. */
  after: number;
  /** Why; absent if the service ended the stream in good order. */
  error?: ErrandError;
}

/** What a run waits for, since when and until when. */
export type RunWait = components['schemas']['RunWait'];

export interface FollowOptions {
  /** The number of the last event that is known already. */
  after?: number;
  signal?: AbortSignal;
  /** Called before each pause that comes before the stream is opened again. */
  onReconnect?(reconnect: Reconnect): void;
  /** Called when the stream is open, each time. */
  onConnect?(): void;
  /** Called when the service says what the run waits for, again and again, and with undefined when the run goes on. */
  onWait?(waiting: RunWait | undefined): void;
}

/** About four minutes of growing pauses, after which the last failure is thrown. */
const mostFailures = 12;

/** Whatever the service asks for: it is neither asked without a pause, nor forgotten. */
const shortestPauseMilliseconds = 250;
const longestPauseMilliseconds = 3_600_000;

const bounded = (milliseconds: number): number =>
  Math.min(longestPauseMilliseconds, Math.max(shortestPauseMilliseconds, milliseconds));

const isTerminal = ({ type }: RunEvent) => type === 'done' || type === 'error' || type === 'input_required';

interface Place {
  after: number;
  failures: number;
  retryMilliseconds: number;
  /** The service has said that the run waits, and nothing since. */
  waits: boolean;
}

const openStream = (connection: Connection, agentId: string, after: number, signal?: AbortSignal) =>
  send(connection, `${runPath(agentId)}/stream`, {
    headers: { Accept: 'text/event-stream', ...(after > 0 && { 'Last-Event-ID': String(after) }) },
    ...withSignal(signal),
  });

/** A comment that says what the run waits for has it as `GET` does. Undefined for any other comment. */
function readWait(comment: string): RunWait | undefined {
  const json = /^\s*waiting (\{.*\})$/.exec(comment)?.[1];
  if (json === undefined) return undefined;
  try {
    const wait = JSON.parse(json) as RunWait;
    return Number.isNaN(Date.parse(wait.since)) ? undefined : wait;
  } catch {
    return undefined;
  }
}

const keepAlive = /^\s*keep-alive$/;

/** The events of one stream, and whether the run is over with it. */
async function* readStream(
  connection: Connection,
  agentId: string,
  place: Place,
  { signal, onConnect, onWait }: FollowOptions,
): AsyncGenerator<RunEvent, boolean> {
  const response = await openStream(connection, agentId, place.after, signal);
  onConnect?.();
  if (response.status === 204) return true;
  const tell = (waiting: RunWait | undefined) => {
    if (waiting || place.waits) onWait?.(waiting);
    place.waits = waiting !== undefined;
  };
  const alive = () => {
    place.failures = 0;
  };
  const onComment = (comment: string) => {
    alive();
    const waiting = readWait(comment);
    if (waiting || keepAlive.test(comment)) tell(waiting);
  };
  const onRetry = (milliseconds: number) => {
    place.retryMilliseconds = milliseconds;
  };
  for await (const { id, data } of readEvents(connection, response, { signal, onComment, onRetry })) {
    const event = { ...parseObject(data, response), id: Number(id) } as RunEvent;
    if (!Number.isSafeInteger(event.id) || event.id <= place.after) continue;
    alive();
    tell(undefined);
    place.after = event.id;
    yield event;
    if (isTerminal(event)) return true;
  }
  return false;
}

const asPassing = (error: unknown): ErrandError => {
  if (!isPassing(error)) throw error;
  return error;
};

/** Every event of a run once and in order, to the terminal one. Resumes after cuts, and while the service is down. */
export async function* followRun(
  connection: Connection,
  agentId: string,
  options: FollowOptions = {},
): AsyncGenerator<RunEvent> {
  const { after = 0, signal, onReconnect } = options;
  const place: Place = { after, failures: 0, retryMilliseconds: 1000, waits: false };
  while (true) {
    let error: ErrandError | undefined;
    try {
      if (yield* readStream(connection, agentId, place, options)) return;
    } catch (thrown) {
      error = asPassing(thrown);
    }
    const failures = place.failures++;
    if (place.failures > mostFailures)
      throw error ?? new ConnectionError('The stream of the run ends at once.');
    const pauseMilliseconds = bounded(
      error?.retryAfterMilliseconds ?? growingPause(failures, place.retryMilliseconds),
    );
    onReconnect?.({
      failures: place.failures,
      pauseMilliseconds,
      after: place.after,
      error,
    });
    await connection.wait(pauseMilliseconds, signal);
  }
}
