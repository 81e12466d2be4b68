import { setTimeout as wait } from 'node:timers/promises';
import { excerpt, Failed, must, Skipped } from './check.ts';
import { requestIdFor } from './checks/prefixes.ts';
import { readEvents, type StreamEvent } from './http/events.ts';
import type { Scene } from './scene.ts';

export interface Run {
  agentId: string;
  status: string;
  result?: string;
  error?: string;
  metadata?: Record<string, string>;
}

/** The most that one run of ours may cost. */
export const runCredits = '0.02';

/** By this a run of ours is known whose creation was not answered. */
export const ownMark = ({ id }: Scene) => ({ smoke: id });

export const finished = (status: string): boolean =>
  ['succeeded', 'failed', 'awaiting_input'].includes(status);

const terminal = new Set(['done', 'error', 'input_required']);

/** Creates a run with the model of the checks, to be deleted at the end. Throws `Failed` or `Skipped`. */
export async function createRun(scene: Scene, body: Record<string, unknown>): Promise<string> {
  const { id: model } = await scene.chatModel();
  const json = { model, maxCredits: runCredits, metadata: ownMark(scene), ...body };
  const created = await scene.ask('/v1/agents/runs', { method: 'POST', json });
  return takeRun(scene, created.status, await created.text());
}

/** The id in the answer to a creation. */
export function takeRun(scene: Scene, status: number, text: string): string {
  if (text === 'Agent service is not enabled') throw new Skipped('runs are switched off');
  must(status === 202, `POST /v1/agents/runs: ${status} ${excerpt(text)}`);
  const { agentId } = JSON.parse(text) as { agentId: string };
  scene.traces.runs.add(agentId);
  return agentId;
}

/** Where a run stands, or undefined if there is none. */
export async function readRun(scene: Scene, agentId: string): Promise<Run | undefined> {
  const answer = await scene.ask(`/v1/agents/runs/${agentId}`);
  const run = await answer.json<Run & Record<string, unknown>>();
  if (answer.status === 404) return undefined;
  must(answer.status === 200 && run !== undefined, `GET the run: ${answer.status}`);
  return run;
}

const endSeconds = 120;

/** Waits until the run has ended. Throws `Failed` if it does not within two minutes. */
export async function whenEnded(scene: Scene, agentId: string): Promise<Run> {
  const giveUpAt = performance.now() + endSeconds * 1000;
  for (let pause = 50; performance.now() < giveUpAt; pause = Math.min(2 * pause, 2_000)) {
    const run = await readRun(scene, agentId);
    if (!run) throw new Failed('the run is gone before its end');
    if (finished(run.status)) return run;
    await wait(pause);
  }
  throw new Failed(`the run has not ended after ${endSeconds} s`);
}

export interface Followed {
  events: StreamEvent[];
  /** How many streams it took: each may end by itself before the run does. */
  streams: number;
  /** From the first byte of a stream to its last one, in the longest stream. One that was held back has all at once. */
  spread: number;
  encoding: string | undefined;
}

/** Opens a run's stream after an event, or at its beginning, as a client does that would take gzip. */
export const openStream = (scene: Scene, agentId: string, after?: number) =>
  scene.ask(`/v1/agents/runs/${agentId}/stream`, {
    headers: {
      'X-Request-Id': requestIdFor(scene.id, 'run-streams'),
      Accept: 'text/event-stream',
      'Accept-Encoding': 'gzip, br',
      ...(after !== undefined && { 'Last-Event-ID': String(after) }),
    },
  });

/** Follows a run to its terminal event. A stream that ends before that is resumed by the id of its last event. */
export async function followRun(scene: Scene, agentId: string, after?: number): Promise<Followed> {
  const followed: Followed = { events: [], streams: 0, spread: 0, encoding: undefined };
  const giveUpAt = performance.now() + 1_500_000;
  while (!followed.events.some(({ type }) => terminal.has(type))) {
    must(performance.now() < giveUpAt, 'the run has not ended after 25 minutes');
    const stream = await openStream(scene, agentId, followed.events.at(-1)?.id ?? after);
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
