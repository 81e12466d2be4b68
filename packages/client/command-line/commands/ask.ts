import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Retry } from '../../connection/retry.ts';
import type { Errand } from '../../create-errand.ts';
import type { RunHandle } from '../../runs/run-handle.ts';
import type { NewRun } from '../../runs/start-run.ts';
import type { OnProgress } from '../../uploads/send-body.ts';
import { InterruptedError, UsageError } from '../exit-codes.ts';
import { askPerson, type Reply } from '../session/ask-person.ts';
import type { Session } from '../session/session.ts';
import { bar } from '../shown/bars.ts';
import { requireAnswer, showEnd, writeValue } from '../shown/end-run.ts';
import { throwMissing } from '../shown/failure-words.ts';
import { followForPeople, notePause } from '../shown/follow-run.ts';
import { paint } from '../shown/paint.ts';
import { onOneLine } from '../shown/printable.ts';
import { bytes } from '../shown/words.ts';
import type { Terminal } from '../terminal.ts';
import { addRunOptions, type RunOptions, readRunFields, throwWithRunOptions } from './run-options.ts';

interface Options extends RunOptions {
  agent?: string;
  file?: string;
  follow?: string;
  csv?: true;
}

async function openFile(file: string): Promise<Blob> {
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) throw new UsageError(`${file} is no file that can be read.`);
  return openAsBlob(file).catch(() => {
    throw new UsageError(`The file ${file} cannot be read.`);
  });
}

async function start(session: Session, errand: Errand, input: NewRun, file: string | undefined) {
  const { signal } = session.interruption;
  const onRetry = (retry: Retry) => notePause(session, retry);
  if (file === undefined) return errand.runs.start(input, { signal, onRetry });
  const filename = path.basename(file);
  const { clear, ...progress } = createUploadBar(session.terminal, filename);
  try {
    return await errand.runs.start(input, {
      file: await openFile(file),
      filename,
      signal,
      onRetry,
      ...progress,
    });
  } finally {
    clear();
  }
}

/** How long after the first Ctrl-C a second one cancels the run. */
const secondThoughtMilliseconds = 2000;

/** Ctrl-C leaves the run to go on; a second one cancels it. */
function leaveOnInterrupt(session: Session, run: RunHandle): AbortSignal {
  const leaving = new AbortController();
  const { note } = session.terminal;
  let timer: NodeJS.Timeout | undefined;
  const leave = () => leaving.abort(new InterruptedError('No longer following the run.'));
  const cancel = async () => {
    clearTimeout(timer);
    const left = await run.cancel().then(
      () => 'The run was cancelled.',
      ({ message }: Error) => `The run goes on, because it was not cancelled: ${message}`,
    );
    leaving.abort(new InterruptedError(left));
  };
  session.interruption.listen(() => {
    if (timer) return void cancel();
    note(
      '\n',
      paint.yellow('The run goes on.'),
      ` Watch it: errand runs watch ${run.agentId}\n` +
        `Cancel it: press Ctrl-C again, or errand runs cancel ${run.agentId}\n`,
    );
    timer = setTimeout(leave, secondThoughtMilliseconds);
  });
  return leaving.signal;
}

async function readQuestion({ terminal }: Session, given: string): Promise<string> {
  if (given !== '-') return given;
  const read = await text(terminal.stdin);
  if (read.trim() === '') throw new UsageError('A question is missing: stdin has none.');
  return read;
}

async function ask(session: Session, words: string[], options: Options): Promise<void> {
  const { follow, file, agent } = options;
  if (words.length === 0 && follow === undefined)
    throw new UsageError('A question is missing: it may be left out with --follow alone.');
  checkShape(session, options);
  const settings: NewRun = { ...(await readRunFields(session, options)), agent };
  const errand = await session.connect();
  const question = words.length === 0 ? undefined : await readQuestion(session, words.join(' '));
  let next: Reply = { input: { question }, file };
  if (follow !== undefined && question === undefined && file === undefined)
    next = await readOn(session, errand, follow);
  let previousRunId = follow;
  while (true) {
    // Who has approved one call is asked about the next, unless they say otherwise.
    if (next.input.approvals) settings.approve ??= ['writes'];
    const input = { ...settings, ...next.input, previousRunId };
    const run = await start(session, errand, input, next.file)
      .catch(throwWithRunOptions({ agent: '--agent', previousRunId: '--follow' }))
      .catch(throwMissing(`run ${previousRunId}`));
    const signal = leaveOnInterrupt(session, run);
    if (session.json) session.line({ agentId: run.agentId });
    const isShaped = settings.outputSchema !== undefined || options.csv;
    await followForPeople(session, run, signal, { withTexts: !isShaped });
    const ended = await showEnd(session, run, signal);
    const reply = await askPerson(session, ended);
    if (!reply) {
      if (isShaped && !session.json && ended.status === 'succeeded') writeValue(session, ended, options);
      return requireAnswer(session, ended);
    }
    next = reply;
    previousRunId = ended.agentId;
    // The next run keeps the agent of this one, as it was.
    settings.agent = undefined;
  }
}

function checkShape({ json }: Session, { schema, csv, follow, agent }: Options): void {
  if (csv && json) throw new UsageError('--csv and --json write the answer in two forms: name one of them.');
  if (csv && [schema, follow, agent].every((given) => given === undefined))
    throw new UsageError('--csv needs --schema: without one the answer is a text.');
}

/** What the run is told that goes on from this one without a question: what a person answers, or nothing. */
async function readOn(session: Session, { api }: Errand, agentId: string): Promise<Reply> {
  const { signal } = session.interruption;
  const { data } = await api
    .GET('/v1/agents/runs/{agentId}', { params: { path: { agentId } }, signal })
    .catch(throwMissing(`run ${agentId}`));
  if (data.status !== 'awaiting_input') return { input: {} };
  if (session.json) session.line({ run: data });
  else session.terminal.note(paint.yellow(data.result ?? 'The run needs more input.'), '\n');
  const reply = await askPerson(session, data);
  if (!reply) requireAnswer(session, data);
  return reply ?? { input: {} };
}

export function defineAsk(program: Command, session: Session): void {
  const command = program
    .command('ask')
    .description('start a run, and follow it to its answer')
    .argument('[question...]', 'what the run must do; - reads it from stdin')
    .option('--agent <name>', 'the stored agent that it is by: NAME, or NAME@VERSION')
    .option('--follow <run>', 'the run that this one goes on from')
    .option('--file <file>', 'an image, a recording or a document that goes along');
  addRunOptions(command)
    .option('--csv', 'write the first list of objects in the answer as CSV')
    .addHelpText(
      'after',
      `
The answer goes to stdout, what happens meanwhile to stderr. Ctrl-C leaves the run to go on; a second one cancels it.
What a run asks for is asked in a terminal. With --follow and without a question, what that run asks for is answered, or a
run that has failed is taken up again. With --schema the answer is one line of JSON, written when the run has ended.
With --json: JSON lines, {agentId} first, then each event, last {run}.`,
    )
    .action((words: string[], options: Options) => ask(session, words, options));
}

/**
 * A line on stderr that is redrawn while a file is sent, and removed afterwards. Nothing is drawn if nobody sees
 * stderr.
 */
function createUploadBar({ showsProgress, renote, width }: Terminal, filename: string) {
  // A line that wraps could not be redrawn.
  const name = onOneLine(filename, Math.max(8, width - 50));
  let drawn = false;
  const draw: OnProgress = ({ sentBytes, totalBytes }) => {
    const share = totalBytes === 0 ? 1 : sentBytes / totalBytes;
    drawn = true;
    renote(`${name} ${bar(share, 24)} ${Math.round(share * 100)} % of ${bytes(totalBytes)}`);
  };
  return {
    ...(showsProgress && { onProgress: draw }),
    clear() {
      if (drawn) renote('');
      drawn = false;
    },
  };
}
