import { Command, CommanderError } from 'commander';
import { ErrandError } from '../errors.ts';
import manifest from '../package.json' with { type: 'json' };
import { defineAgents } from './commands/agents.ts';
import { defineAsk } from './commands/ask.ts';
import { defineChat } from './commands/chat.ts';
import { defineDecide } from './commands/decide.ts';
import { defineLogin } from './commands/login.ts';
import { defineModels } from './commands/models.ts';
import { defineRuns } from './commands/runs.ts';
import { defineSchedules } from './commands/schedules.ts';
import { defineSkills } from './commands/skills.ts';
import { defineUsage } from './commands/usage.ts';
import { defineWebhooks } from './commands/webhooks.ts';
import {
  exitCodeOf,
  exitCodes,
  exitCodesHelp,
  FailedError,
  InterruptedError,
  UsageError,
} from './exit-codes.ts';
import { createClient, type Interruption, readLoginOf, type Session } from './session/session.ts';
import { asToldFailure, messageOf } from './shown/failure-words.ts';
import { paint } from './shown/paint.ts';
import { openTerminal, type Streams, type Terminal } from './terminal.ts';

const definitions = [
  ...[defineLogin, defineAsk, defineRuns, defineChat, defineAgents, defineSchedules],
  ...[defineDecide, defineSkills, defineUsage, defineModels, defineWebhooks],
];

/** A value that was typed behind an unknown option may be a key. */
const withoutValue = (message: string) => message.replace(/(unknown option '[^'=]+)=[^']*'/, "$1'");

const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

const seeHelp = (command: string) => `See: ${command} --help`;

/** Each command and its subcommands take `--json`, tell the exit codes, and leave the ending to the caller. */
function prepare(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .showHelpAfterError(seeHelp(nameOf(command)))
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.note(withoutValue(text)),
      getOutHelpWidth: () => terminal.width,
      getErrHelpWidth: () => terminal.width,
    })
    .addHelpText('after', exitCodesHelp);
  if (command.commands.length === 0) command.option('--json', 'write JSON for programs to stdout');
  for (const below of command.commands) prepare(below, terminal);
}

function createProgram(session: Session): Command {
  const program = new Command('errand')
    .version(manifest.version, '-V, --version', 'the version of this program')
    .description('Runs, chat, agents, schedules, decisions, skills, webhooks and usage of an Errand service.')
    .option('--json', 'write JSON for programs to stdout');
  for (const define of definitions) define(program, session);
  prepare(program, session.terminal);
  return program.hook('preAction', (_, command) => {
    session.command = nameOf(command);
    session.json = command.optsWithGlobals().json === true;
  });
}

function openSession(streams: Streams, terminal: Terminal, interruption: Session['interruption']): Session {
  const session: Session = {
    env: streams.env,
    terminal,
    json: false,
    command: 'errand',
    keySource: 'saved',
    interruption,
    async connect() {
      const { login, keySource } = await readLoginOf(streams.env);
      session.keySource = keySource;
      terminal.hide(login.apiKey);
      return createClient(login, streams.env);
    },
    show(document, lines) {
      if (session.json) session.line(document);
      else for (const line of lines()) terminal.write(line, '\n');
    },
    line: terminal.writeJson,
  };
  return session;
}

const described = (error: unknown, message: string) => ({
  message,
  ...(error instanceof ErrandError && {
    status: error.status,
    code: error.code,
    requestId: error.requestId,
  }),
});

/** Rejects with the reason of the signal's abort. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

const wordsOf = ({ code, message }: CommanderError): string =>
  code === 'commander.help'
    ? 'A command is missing: see errand --help'
    : withoutValue(message).replace(/^error: /, '');

/** Runs one command, and resolves with its exit code. */
export async function runCommandLine(words: readonly string[], streams: Streams): Promise<number> {
  const terminal = openTerminal(streams);
  const interruption = watchInterruption();
  const session = openSession(streams, terminal, interruption);
  try {
    await Promise.race([
      createProgram(session).parseAsync(words, { from: 'user' }),
      aborted(interruption.signal),
    ]);
    return exitCodes.done;
  } catch (thrown) {
    const error = asToldFailure(thrown);
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.done;
      if (words.includes('--json')) session.line({ error: { message: wordsOf(error) } });
      return exitCodes.usage;
    }
    if (error instanceof FailedError) return error.exitCode;
    const message = messageOf(error, session.keySource);
    const id = error instanceof ErrandError && error.requestId ? ` (request ${error.requestId})` : '';
    terminal.note(paint.red(message), `${id}\n`);
    if (error instanceof UsageError) terminal.note(`${seeHelp(session.command)}\n`);
    if (session.json) session.line({ error: described(error, message) });
    return exitCodeOf(error);
  } finally {
    interruption.stop();
    terminal.flush();
  }
}

/** Turns Ctrl-C into an abort, or into what the command does in its place. */
function watchInterruption(): Interruption & { stop(): void } {
  const abort = new AbortController();
  const end = () => abort.abort(new InterruptedError('Interrupted.'));
  let onInterrupt = end;
  const handle = () => onInterrupt();
  process.on('SIGINT', handle);
  return {
    signal: abort.signal,
    listen(listener = end) {
      onInterrupt = listener;
    },
    stop: () => void process.off('SIGINT', handle),
  };
}
