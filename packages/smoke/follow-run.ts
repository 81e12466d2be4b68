import { setTimeout as wait } from 'node:timers/promises';
import { requestIdFor } from './checks/prefixes.ts';
import { readEvents, type StreamEvent } from './http/events.ts';
import { Failed, must } from './outcome.ts';
import { notEnded, patienceOf } from './runs.ts';
import type { Scene } from './scene.ts';

const terminal = new Set(['done', 'error', 'input_required']);

export interface Followed {
  events: StreamEvent[];
  /** The number of streams that were opened: a stream may end before its run does. */
  streams: number;
  /** The milliseconds from the first to the last byte of the longest stream: near 0 for a stream that was held back. */
  spread: number;
  encoding: string | undefined;
}

/** Opens a run's stream after an event or from the beginning, and offers to accept gzip as browsers do. */
export const openStream = (scene: Scene, agentId: string, after?: number, signal = scene.signal) =>
  scene.ask(`/v1/agents/runs/${agentId}/stream`, {
    signal,
    headers: {
      'X-Request-Id': requestIdFor(scene.id, 'run-streams'),
      Accept: 'text/event-stream',
      'Accept-Encoding': 'gzip, br',
      ...(after !== undefined && { 'Last-Event-ID': String(after) }),
    },
  });

/** Does work on a run until the signal aborts. Throws `Failed` with the state of the run if it does. */
export async function inTime<T>(
  scene: Scene,
  agentId: string,
  work: (signal: AbortSignal) => Promise<T>,
  milliseconds = patienceOf(scene),
): Promise<T> {
  const over = AbortSignal.timeout(milliseconds);
  try {
    return await work(scene.signal ? AbortSignal.any([scene.signal, over]) : over);
  } catch (error) {
    if (!over.aborted || error instanceof Failed) throw error;
    return notEnded(scene, agentId, milliseconds);
  }
}

/** The pause before a stream is opened again, since a server may end each one at once. */
const pauseMilliseconds = 500;

interface Following {
  /** The id of the last event that is known. */
  after?: number;
  milliseconds?: number;
}

/** Follows a run to its terminal event. A stream that ends before that is resumed by the id of its last event. */
export const followRun = (
  scene: Scene,
  agentId: string,
  { after, milliseconds }: Following = {},
): Promise<Followed> =>
  inTime(scene, agentId, (signal) => follow(scene, agentId, after, signal), milliseconds);

async function follow(
  scene: Scene,
  agentId: string,
  after: number | undefined,
  signal: AbortSignal,
): Promise<Followed> {
  const followed: Followed = { events: [], streams: 0, spread: 0, encoding: undefined };
  while (!followed.events.some(({ type }) => terminal.has(type))) {
    if (followed.streams > 0) await wait(pauseMilliseconds, undefined, { signal });
    const stream = await openStream(scene, agentId, followed.events.at(-1)?.id ?? after, signal);
    must(stream.status === 200, `GET .../stream: ${stream.status}, before the terminal event was sent`);
    const type = stream.headers['content-type'] ?? '';
    must(type.startsWith('text/event-stream'), `GET .../stream: Content-Type ${type}`);
    followed.encoding ??= stream.headers['content-encoding'];
    must(followed.encoding === undefined, `the stream of a run came as ${followed.encoding}`);
    const { events, beganAt, endedAt } = await readEvents(stream);
    followed.spread = Math.max(followed.spread, endedAt - beganAt);
    followed.streams++;
    followed.events.push(...events);
  }
  return followed;
}
