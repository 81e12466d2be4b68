import { type AgentEvent, isTerminalType } from '@errand/agent';
import {
  type Aside,
  type CreateRunDeps,
  commentOf,
  followAsReader,
  isEvent,
  type RunRecord,
  readAllEvents,
  readRun,
  readRunInput,
  type StoredEvent,
  type StreamControls,
  type StreamRoutesDeps,
  showRun,
  viewRun,
} from '@errand/runs';
import type { ResponseObject } from '../answer/response-object.ts';
import { createEvents } from '../answer/stream-answer.ts';
import { type RunTelling, type ToldRun, tellRun } from './tell-run.ts';

/** For responses that are runs. */
export interface RunResponseDeps extends CreateRunDeps, StreamRoutesDeps {}

async function toldRun(deps: RunResponseDeps, run: RunRecord): Promise<ToldRun> {
  const { outputSchema } = run.hasSchema ? (await readRunInput(deps, run.agentId)).agent : {};
  return { ...viewRun(run), marks: run.marks, outputSchema };
}

/** The response of a run, as far as the run is. */
export const readResponse = (deps: RunResponseDeps, run: RunRecord): Promise<ResponseObject> =>
  joinEvents(deps, run, readAllEvents(deps, run));

/** The response that events of a run make, from the first one on. `status` is what it has where they tell nothing yet. */
export async function joinEvents(
  deps: RunResponseDeps,
  run: RunRecord,
  events: AsyncIterable<StoredEvent | Aside>,
  status = run.status,
): Promise<ResponseObject> {
  const telling = tellRun(await toldRun(deps, run));
  for await (const event of events) if (isEvent(event)) await tell(deps, telling, run, event);
  return telling.response(status);
}

/** The events of a response after a number (-1: all of them), then live until the run's end. */
export async function* streamResponse(
  deps: RunResponseDeps,
  run: RunRecord,
  after: number,
  controls: StreamControls,
): AsyncGenerator<string> {
  const { emit, take } = createEvents(after);
  const telling = tellRun(await toldRun(deps, run), emit);
  const begun = take();
  if (begun !== '') yield begun;
  // Every event counts, also those that the reader has seen.
  for await (const event of followAsReader(deps, run, 0, controls)) {
    if (isEvent(event)) await tell(deps, telling, run, event);
    else yield commentOf(event);
    const text = take();
    if (text !== '') yield text;
  }
}

/** What a run has used, and what its answer cites, is known with its last event. */
async function tell(
  deps: RunResponseDeps,
  telling: RunTelling,
  { agentId }: RunRecord,
  { name, data }: StoredEvent,
): Promise<void> {
  const ended = isTerminalType(name) ? await readRun(deps, agentId) : undefined;
  telling.add(JSON.parse(data) as AgentEvent, ended && (await showRun(deps, ended)));
}
