import { type AgentEvent, isTerminal, type TerminalEvent } from '@errand/agent';
import { cancelledMessage, type RunRecord, type RunView } from '@errand/runs';
import type { Emit } from '../answer/items.ts';
import {
  completedAt,
  type Ending,
  inProgress,
  type ResponseObject,
  responseObject,
} from '../answer/response-object.ts';
import { keyOfRun } from '../ids.ts';
import { agentModel, modelOfAgent } from './read-run-request.ts';
import { createRunOutput, otherFields } from './run-output.ts';
import { showTextFormat } from './text-format.ts';

/** A run, and what its request is shown with again. */
export type ToldRun = RunView & Pick<RunRecord, 'marks'> & { outputSchema?: string };

/** A run that is told as a response, event by event. */
export interface RunTelling {
  /** Adds the next event. With the terminal one comes the run as it is after that. */
  add(event: AgentEvent, ended?: RunView): void;
  /** The response as far as it is told. A run may begin to work before its first event. */
  response(status?: RunView['status']): ResponseObject;
}

const queued: Ending = { ...inProgress, status: 'queued' };

/** Tells of the run by `emit`, always in the same way. `run` is the run at any time. */
export function tellRun(run: ToldRun, emit: Emit = () => {}): RunTelling {
  const output = createRunOutput(keyOfRun(run.agentId), emit, run.outputSchema !== undefined);
  let ending = queued;
  let last: RunView = run;
  let asked: object = {};
  const response = (): ResponseObject =>
    completedAt(Date.parse(last.updatedAt), {
      ...objectOf(run),
      ...ending,
      output: output.items,
      ...asked,
      ...(isOver(ending) && { usage: usageOf(last) }),
      ...(last.stopReason && { stop_reason: last.stopReason }),
      ...(last.unsupported && { unsupported: last.unsupported }),
    });
  emit('response.created', { response: response() });
  emit('response.queued', { response: response() });
  return {
    add(event, ended = run) {
      if (isTerminal(event)) {
        last = ended;
        ending = endingOf(event);
        if (event.type === 'input_required' && ending.status === 'incomplete')
          asked = { required_input: otherFields(event) };
      } else if (ending === queued) {
        ending = inProgress;
        emit('response.in_progress', { response: response() });
      }
      output.add(event, ended.citations);
      if (isOver(ending)) emit(endEvents[ending.status] ?? 'response.failed', { response: response() });
    },
    response(status) {
      if (ending === queued && status === 'running') ending = inProgress;
      return response();
    },
  };
}

const isOver = ({ status }: Ending): boolean => status !== 'queued' && status !== 'in_progress';

/** Clients know no event of a response that was cancelled. */
const endEvents: { [S in Ending['status']]?: string } = {
  completed: 'response.completed',
  incomplete: 'response.incomplete',
};

function endingOf(event: TerminalEvent): Ending {
  if (event.type === 'done') return { ...inProgress, status: 'completed' };
  if (event.type === 'input_required' && event.calls && otherFields(event).length === 0)
    return { ...inProgress, status: 'completed' };
  if (event.type === 'input_required')
    return { status: 'incomplete', incomplete_details: { reason: 'awaiting_input' }, error: null };
  if (event.message === cancelledMessage) return { ...inProgress, status: 'cancelled' };
  const error = { code: 'run_failed', message: event.message, type: 'server_error' };
  return { status: 'failed', incomplete_details: null, error };
}

function objectOf(run: ToldRun): ResponseObject {
  const { agentId, createdAt, metadata, previousRunId, outputSchema, agent } = run;
  const { format: _, ...marks } = run.marks ?? {};
  const text = outputSchema === undefined ? undefined : { format: showTextFormat(run, outputSchema) };
  const model = agent ? modelOfAgent(agent.name, agent.version) : agentModel;
  const request = { model, ...marks, metadata, previous_response_id: previousRunId, text };
  const frame = { key: agentId, createdAtMilliseconds: Date.parse(createdAt), request };
  const shown = responseObject(frame, { output: [], ending: queued });
  return { ...shown, id: agentId, background: true };
}

const usageOf = ({ usage }: RunView) => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: { cached_tokens: usage.cachedInputTokens ?? 0 },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
  total_tokens: usage.inputTokens + usage.outputTokens,
  audio_seconds: usage.audioSeconds,
  credits: usage.credits,
});
