import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
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
import { throwMissing, throwWithOptions } from '../shown/failure-words.ts';
import { followForPeople, notePause } from '../shown/follow-run.ts';
import { paint } from '../shown/paint.ts';
import { onOneLine } from '../shown/printable.ts';
import { bytes } from '../shown/words.ts';
import type { Terminal } from '../terminal.ts';
import { readSchema, readServers } from './ask-files.ts';

interface Options {
  file?: string;
  model?: string;
  maxCredits?: string;
  skill?: string;
  tools?: string;
  mcp?: string[];
  proof?: true;
  effort?: NewRun['effort'];
  follow?: string;
  approve?: string[];
  schema?: string;
  csv?: true;
}

type Tools = NonNullable<NewRun['tools']>;

/** How a run works, which one that goes on from it has too. */
const settingsOf = ({ model, maxCredits, skill, tools, proof, effort, approve }: Options): NewRun => ({
  model: model || undefined,
  maxCredits: maxCredits || undefined,
  skills: skill || undefined,
  ...(tools !== undefined && { tools: tools.split(',').filter(Boolean) as Tools }),
  proof,
  effort,
  approve,
});

const optionsOfFields = {
  model: '--model',
  maxCredits: '--max-credits',
  skills: '--skill',
  tools: '--tools',
  mcp: '--mcp',
  previousRunId: '--follow',
  approve: '--approve',
  effort: '--effort',
  outputSchema: '--schema',
};

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

function readEuros(given: string): string {
  if (/^\d+(\.\d{1,9})?$/.test(given) && Number(given) > 0) return given;
  throw new InvalidArgumentError('It must be an amount of EUR over 0, such as 0.50.');
}

async function ask(session: Session, words: string[], options: Options): Promise<void> {
  const { follow, file } = options;
  if (words.length === 0 && follow === undefined)
    throw new UsageError('A question is missing: it may be left out with --follow alone.');
  const outputSchema = await readShape(session, options);
  const errand = await session.connect();
  const question = words.length === 0 ? undefined : await readQuestion(session, words.join(' '));
  const mcp = options.mcp && (await readServers(options.mcp));
  const settings = { ...settingsOf(options), ...(mcp && { mcp }), ...(outputSchema && { outputSchema }) };
  let next: Reply = { input: { question }, file };
  if (follow !== undefined && question === undefined && file === undefined)
    next = await readOn(session, errand, follow);
  let previousRunId = follow;
  while (true) {
    // Who has approved one call is asked about the next, unless they say otherwise.
    if (next.input.approvals) settings.approve ??= ['writes'];
    const input = { ...settings, ...next.input, previousRunId };
    const run = await start(session, errand, input, next.file)
      .catch(throwWithOptions(optionsOfFields))
      .catch(throwMissing(`run ${previousRunId}`));
    const signal = leaveOnInterrupt(session, run);
    if (session.json) session.line({ agentId: run.agentId });
    const isShaped = outputSchema !== undefined || options.csv;
    await followForPeople(session, run, signal, { withTexts: !isShaped });
    const ended = await showEnd(session, run, signal);
    const reply = await askPerson(session, ended);
    if (!reply) {
      if (isShaped && !session.json && ended.status === 'succeeded') writeValue(session, ended, options);
      return requireAnswer(session, ended);
    }
    next = reply;
    previousRunId = ended.agentId;
  }
}

/** The schema of the answer, if one is named. */
async function readShape({ json }: Session, { schema, csv, follow }: Options) {
  if (csv && json) throw new UsageError('--csv and --json write the answer in two forms: name one of them.');
  if (csv && schema === undefined && follow === undefined)
    throw new UsageError('--csv needs --schema: without one the answer is a text.');
  return schema === undefined ? undefined : readSchema(schema);
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
  program
    .command('ask')
    .description('start a run, and follow it to its answer')
    .argument('[question...]', 'what the run must do; - reads it from stdin')
    .option('--follow <run>', 'the run that this one goes on from')
    .option('--file <file>', 'an image, a recording or a document that goes along')
    .option('--model <id>', 'the model that works on the question')
    .option('--max-credits <euros>', 'the most that the run may cost, such as 0.50', readEuros)
    .option('--skill <name>', 'the skill whose instructions it follows')
    .option('--tools <names>', 'the only tools that it may use, with commas between them; "" for none')
    .option(
      '--mcp <server>',
      'a server of tools that it may use: the name under which the operator offers it, or @FILE; again for another',
      (server: string, before: string[] = []) => [...before, server],
    )
    .option(
      '--approve <rule>',
      'calls that are made only once you allow them: writes, auto, the name of a tool, or !NAME to leave one out; again for another',
      (rule: string, before: string[] = []) => [...before, rule],
    )
    .option('--schema <file>', 'a JSON Schema, which the answer is to fit as JSON')
    .option('--csv', 'write the first list of objects in the answer as CSV')
    .addOption(
      new Option('--effort <level>', 'how careful the run is').choices(['low', 'medium', 'high']),
    )
    .option('--proof', 'have the cited claims of the answer checked')
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
