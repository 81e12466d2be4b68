import type { AskedCall } from '../../runs/follow-up.ts';
import type { Run, RunHandle } from '../../runs/run-handle.ts';
import { tableIn } from '../../tables/find-table.ts';
import { writeCsv } from '../../tables/write-csv.ts';
import { exitCodes, FailedError } from '../exit-codes.ts';
import type { Session } from '../session/session.ts';
import { paint } from './paint.ts';
import { escaped, onOneLine, printableJson } from './printable.ts';
import { count, euros } from './words.ts';

function sourceLines(run: Run, width: number): string[] {
  const sources = (run.citations ?? []).map((citation) =>
    citation.type === 'url_citation' ? `${citation.title} ${citation.url}` : citation.filename,
  );
  return [...new Set(sources)].map((source) => `  ${onOneLine(source, width - 4)}`);
}

function summary({ agentId, usage, model, agent }: Run): string {
  const tokens = count(usage.inputTokens + usage.outputTokens);
  const by = agent && [agent.name, agent.version].filter(Boolean).join('@');
  return [euros(usage.credits), `${tokens} tokens`, model, by, agentId].filter(Boolean).join(' · ');
}

const stopWords = ({ agentId }: Run, reason: NonNullable<Run['stopReason']>): string =>
  reason === 'schema'
    ? `Nothing that the model wrote fits the schema. To have it try again: errand ask --follow ${agentId}`
    : `The run had to stop early: ${reason}.`;

/** Shows how a run has ended. */
export async function showEnd(session: Session, handle: RunHandle, signal: AbortSignal): Promise<Run> {
  const run = await handle.wait({ signal, after: Number.MAX_SAFE_INTEGER });
  const { note, width } = session.terminal;
  if (session.json) session.line({ run });
  else {
    if (run.status === 'failed') note(paint.red(run.error ?? 'The run failed.'), '\n');
    if (run.status === 'awaiting_input') note(paint.yellow(run.result ?? 'The run needs more input.'), '\n');
    if (run.stopReason) note(paint.yellow(stopWords(run, run.stopReason)), '\n');
    if (run.unsupported?.length)
      note(paint.yellow('Not borne out by their sources:'), ` ${run.unsupported.map(escaped).join(' ')}\n`);
    const sources = sourceLines(run, width);
    if (sources.length > 0) note(paint.bold('Sources'), `\n${sources.join('\n')}\n`);
    note(paint.dim(summary(run)), '\n');
  }
  return run;
}

/** Writes the value of a run to stdout: as JSON, or its table as CSV. */
export function writeValue({ terminal }: Session, run: Run, { csv }: { csv?: true }): void {
  const table = csv && tableIn(run.output);
  if (!csv) terminal.pass(`${printableJson(run.result ?? '')}\n`);
  if (table) terminal.pass(writeCsv(table.rows));
  if (!csv || table) return;
  terminal.note(
    paint.red(`The answer has no list of objects. It is: errand runs watch ${run.agentId}`),
    '\n',
  );
  throw new FailedError('no table');
}

/** Throws `FailedError` if the run has no answer, or ended with its money. What it asks for is shown. */
export function requireAnswer(session: Session, run: Run): void {
  if (run.status === 'awaiting_input') {
    if (!session.json) showAsked(session, run);
    throw new FailedError(run.status, exitCodes.awaitsInput);
  }
  if (run.status !== 'succeeded') throw new FailedError(run.status);
  if (run.stopReason === 'credits') throw new FailedError(run.stopReason, exitCodes.credits);
}

/** A call with all of its arguments. */
export const callLine = ({ name, arguments: json }: AskedCall): string => `${escaped(name)} ${escaped(json)}`;

function showAsked({ terminal: { note, width } }: Session, { agentId, asked }: Run): void {
  for (const { name, description } of asked?.expected ?? [])
    note('  ', paint.cyan(name), ` ${onOneLine(description, width - 20)}\n`);
  for (const call of asked?.calls ?? []) note(`  ${callLine(call)}\n`);
  note(`Answer in a terminal, with the same options: errand ask --follow ${agentId}\n`);
}
