import { type AgentEvent, isTerminal, isTerminalType } from '@errand/agent';
import { listChargesOfRun } from '@errand/money';
import { describeError, limits, type SpanExporter } from '@errand/platform';
import { eventItems, headsOf, type LogItem, namesOf, type StoredEvent, unpackItem } from '../event-log.ts';
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
      for (const item of items) events.push(...(await readItem(deps, item, spans.capturesContent)));
    const charges = await listChargesOfRun(deps, run.payer, agentId);
    spans.add(spansOfRun(run, events, charges, spans.capturesContent));
    await spans.flush();
  } catch (error) {
    deps.log.warn('spans not made', { agentId, ...describeError(error) });
  }
}

/** What spans tell of an item's events. A large text is read only if a span tells of it. */
async function readItem(
  deps: Pick<WorkerDeps, 'files'>,
  item: LogItem,
  capturesContent: boolean,
): Promise<TracedEvent[]> {
  const isInline = 'data' in item || 'packed' in item;
  if (isInline || capturesContent || namesOf(item).includes('tool_call')) {
    const { events } = await unpackItem(deps, item);
    return events.map((event) => readEvent(event, capturesContent));
  }
  return headsOf(item);
}

function readEvent({ id, name, at, data }: StoredEvent, capturesContent: boolean): TracedEvent {
  const traced = { id, name, at };
  if (name !== 'tool_call' && name !== 'tool_result' && !isTerminalType(name)) return traced;
  const event = JSON.parse(data) as AgentEvent;
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
