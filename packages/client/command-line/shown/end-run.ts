import type { Run, RunHandle } from '../../runs/run-handle.ts';
import { exitCodes, FailedError } from '../exit-codes.ts';
import type { Session } from '../session/session.ts';
import { paint } from './paint.ts';
import { onOneLine } from './printable.ts';
import { count, euros } from './words.ts';

function sourceLines(run: Run, width: number): string[] {
  const sources = (run.citations ?? []).map((citation) =>
    citation.type === 'url_citation' ? `${citation.title} ${citation.url}` : citation.filename,
  );
  return [...new Set(sources)].map((source) => `  ${onOneLine(source, width - 4)}`);
}

function summary({ agentId, usage, model }: Run): string {
  const tokens = count(usage.inputTokens + usage.outputTokens);
  return [euros(usage.credits), `${tokens} tokens`, model, agentId].filter(Boolean).join(' · ');
}

/** Shows how a run has ended. Throws `FailedError` if it has no answer, or ended with its money. */
export async function showEnd(session: Session, handle: RunHandle, signal: AbortSignal): Promise<void> {
  const run = await handle.wait({ signal, after: Number.MAX_SAFE_INTEGER });
  const { note, width } = session.terminal;
  if (session.json) session.line({ run });
  else {
    if (run.status === 'failed') note(paint.red(run.error ?? 'The run failed.'), '\n');
    if (run.status === 'awaiting_input') note(paint.yellow(run.result ?? 'The run needs more input.'), '\n');
    if (run.stopReason) note(paint.yellow(`The run had to stop early: ${run.stopReason}.`), '\n');
    const sources = sourceLines(run, width);
    if (sources.length > 0) note(paint.bold('Sources'), `\n${sources.join('\n')}\n`);
    note(paint.dim(summary(run)), '\n');
  }
  if (run.status !== 'succeeded') throw new FailedError(run.status);
  if (run.stopReason === 'credits') throw new FailedError(run.stopReason, exitCodes.credits);
}
