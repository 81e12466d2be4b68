import { watchKey } from '@errand/accounts';
import type { AgentEvent } from '@errand/agent';
import { DomainError, limits, startTimer } from '@errand/platform';
import {
  type Aside,
  followAsReader,
  getRun,
  isEvent,
  type RunRecord,
  type RunView,
  showRun,
} from '@errand/runs';
import { describeWait } from './run-answer.ts';
import type { ToolCall } from './tool.ts';

const shownCharacters = 200;

/**
 * Waits until the run has ended, the caller's patience is over, or the server stops, and returns the run as it is
 * then. Tells of the run's events on the way. A caller that leaves does not end the run.
 */
export async function waitForRun(
  { deps, c, signal, progress }: ToolCall,
  run: RunRecord,
  waitSeconds: number = progress ? limits.mcpProgressSeconds : limits.mcpWaitSeconds,
): Promise<RunView> {
  const { runs } = deps;
  const over = new AbortController();
  const stopTimer = startTimer(runs, waitSeconds * 1000, () => over.abort());
  const stopWatching = watchKey(deps.accounts, c.var.principal, (end) =>
    over.abort(new DomainError('unauthorized', { end })),
  );
  try {
    const controls = { signal: AbortSignal.any([over.signal, signal]), cutOff() {} };
    for await (const news of followAsReader(runs, run, 0, controls))
      await progress?.(isEvent(news) ? lineOf(JSON.parse(news.data) as AgentEvent) : lineOfAside(news));
  } finally {
    stopTimer();
    stopWatching();
  }
  if (over.signal.reason instanceof DomainError) throw over.signal.reason;
  return showRun(runs, await getRun(runs, c.var.principal, run.agentId));
}

const lineOfAside = (aside: Aside) =>
  aside === 'keep-alive' ? 'The run goes on.' : `The run ${describeWait(aside)}`;

/** A line of an event, for somebody who watches. */
function lineOf(event: AgentEvent): string {
  switch (event.type) {
    case 'step_start':
      return `Step ${event.step}: ${event.description}`;
    case 'tool_call':
      return shorten(
        `${event.toolName} ${typeof event.input === 'string' ? event.input : JSON.stringify(event.input)}`,
      );
    case 'tool_result':
      return shorten(`${event.toolName} answered: ${event.result}`);
    case 'sub_run':
      return shorten(`Sub-run ${event.status}: ${event.question}`);
    case 'text':
      return shorten(event.text);
    case 'step_complete':
      return `Step ${event.step} is done.`;
    case 'input_required':
      return 'The run needs more input.';
    case 'done':
      return 'The answer is ready.';
    case 'error':
      return 'The run has failed.';
  }
}

function shorten(text: string): string {
  const line = text
    .slice(0, 4 * shownCharacters)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= shownCharacters
    ? line
    : `${characters.slice(0, shownCharacters - 1).join('')}…`;
}
