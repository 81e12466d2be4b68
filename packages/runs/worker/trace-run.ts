import { type AgentEvent, isTerminal, isTerminalType } from '@errand/agent';
import { listChargesOfRun } from '@errand/money';
import { describeError, limits, type SpanExporter, unpackPayload } from '@errand/platform';
import { type EventItem, eventItems } from '../event-log.ts';
import { isFinished } from '../lifecycle.ts';
import { readRun } from '../store.ts';
import type { WorkerDeps } from './deps.ts';
import { spansOfRun, type TracedEvent } from './spans-of-run.ts';

/**
 * Sends the spans of a run that is over, made of what is stored. The message of the run is deleted after it: if the process dies before,
 * the worker that receives the message again makes the same spans. Never throws.
 */
export async function traceRun(deps: WorkerDeps, spans: SpanExporter, agentId: string): Promise<void> {
  try {
    const run = await readRun(deps, agentId);
    if (!run || !isFinished(run.status)) return;
    const events: TracedEvent[] = [];
    for await (const items of eventItems(deps, agentId))
      for (const item of items) events.push(await readEvent(deps, item, spans.capturesContent));
    const charges = await listChargesOfRun(deps, run.payer, agentId);
    spans.add(spansOfRun(run, events, charges, spans.capturesContent));
    await spans.flush();
  } catch (error) {
    deps.log.warn('spans not made', { agentId, ...describeError(error) });
  }
}

/** What a span tells of an event. A large payload is read only if a span tells of it. */
async function readEvent(
  { files }: Pick<WorkerDeps, 'files'>,
  item: EventItem,
  capturesContent: boolean,
): Promise<TracedEvent> {
  const { id, name, at } = item;
  const traced = { id, name, at };
  const hasText = name === 'tool_result' || isTerminalType(name);
  if (name !== 'tool_call' && !(hasText && ('data' in item || capturesContent))) return traced;
  const event = JSON.parse(await unpackPayload(files, item)) as AgentEvent;
  const text = capturesContent ? beginningOf(textOf(event)) : undefined;
  if (event.type !== 'tool_call' && event.type !== 'tool_result') return { ...traced, text };
  const isFailed = event.type === 'tool_result' && event.result.startsWith('Error:');
  return { ...traced, text, toolName: beginningOf(event.toolName), isFailed };
}

/** A copy, because a piece of a text would keep the whole text in memory. */
const beginningOf = (text: string | undefined): string | undefined =>
  text && Buffer.from(text.slice(0, limits.spanTextCharacters).toWellFormed()).toString();

function textOf(event: AgentEvent): string | undefined {
  if (event.type === 'tool_call')
    return typeof event.input === 'string' ? event.input : JSON.stringify(event.input);
  if (event.type === 'tool_result') return event.result;
  if (!isTerminal(event)) return undefined;
  return event.type === 'done' ? event.finalText : event.message;
}
