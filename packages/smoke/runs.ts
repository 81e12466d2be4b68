import { setTimeout as wait } from 'node:timers/promises';
import { affordableModel, mostEuro, runWork } from './affordable.ts';
import { Failed, must, Skipped } from './outcome.ts';
import type { Scene } from './scene.ts';
import { excerpt } from './show.ts';

export interface Run {
  agentId: string;
  status: string;
  result?: string;
  error?: string;
  metadata?: Record<string, string>;
}

/** The most that one run of ours may cost. */
export const runCredits = mostEuro.run;

/** The metadata by which a run of ours is found if its creation got no answer. */
export const ownMark = ({ id }: Scene) => ({ smoke: id });

export const finished = (status: string): boolean =>
  ['succeeded', 'failed', 'awaiting_input'].includes(status);

/** The model of a run of ours. Throws `Skipped` if it is too expensive for one. */
export const runModel = (scene: Scene) => affordableModel(scene, runWork, 'run');

/** Creates a run with the model of the checks, to be deleted at the end. Throws `Failed` or `Skipped`. */
export async function createRun(scene: Scene, body: Record<string, unknown>): Promise<string> {
  const { model = (await runModel(scene)).id } = body;
  const json = { maxCredits: runCredits, metadata: ownMark(scene), ...body, model };
  const created = await scene.ask('/v1/agents/runs', { method: 'POST', json });
  return takeRun(scene, created.status, await created.text());
}

/** Throws `Skipped` if this answer to a creation says that the operator has switched runs off. */
export function mustTakeRuns(text: string): void {
  if (text === 'Agent service is not enabled') throw new Skipped('runs are switched off');
}

/** The id in the answer to a creation. */
export function takeRun(scene: Scene, status: number, text: string): string {
  mustTakeRuns(text);
  must(status === 202, `POST /v1/agents/runs: ${status} ${excerpt(text)}`);
  const { agentId } = JSON.parse(text) as { agentId: string };
  scene.traces.runs.add(agentId);
  return agentId;
}

/** The state of a run; undefined if there is no such run. */
export async function readRun(scene: Scene, agentId: string): Promise<Run | undefined> {
  const answer = await scene.ask(`/v1/agents/runs/${agentId}`);
  const run = await answer.json<Run & Record<string, unknown>>();
  if (answer.status === 404) return undefined;
  must(answer.status === 200 && run !== undefined, `GET the run: ${answer.status}`);
  return run;
}

const runMilliseconds = 150_000;

/** How long a run may take in all. */
export const patienceOf = (scene: Scene): number => scene.runMilliseconds ?? runMilliseconds;

/** Waits until the run has ended. Throws `Failed` if it does not in time. */
export async function whenEnded(scene: Scene, agentId: string): Promise<Run> {
  const giveUpAt = performance.now() + patienceOf(scene);
  for (let pause = 50; performance.now() < giveUpAt; pause = Math.min(2 * pause, 2_000)) {
    const run = await readRun(scene, agentId);
    if (!run) throw new Failed('the run is gone before its end');
    if (finished(run.status)) return run;
    await wait(pause);
  }
  return notEnded(scene, agentId, patienceOf(scene));
}

/** Throws `Failed` with the state of the run. */
export async function notEnded(scene: Scene, agentId: string, milliseconds: number): Promise<never> {
  const run = await readRun(scene, agentId);
  const seconds = Math.round(milliseconds / 1000);
  throw new Failed(`the run ${agentId} has not ended after ${seconds} s: ${standing(run?.status ?? 'gone')}`);
}

function standing(status: string): string {
  if (status === 'queued') return 'still queued: no worker has taken it; see the log of the worker';
  if (status !== 'running') return status;
  return 'still running: its model provider may not answer; see `run waits for the model provider` in the log';
}
