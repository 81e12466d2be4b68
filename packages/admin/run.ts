import { type Config, ConfigError, DomainError, escapeControls, systemClock } from '@errand/platform';
import { CommanderError } from 'commander';
import type { Outcome, Terminal } from './command.ts';
import { commands } from './commands.ts';
import { connect } from './connect.ts';
import { type Invocation, parseCommandLine } from './parse.ts';
import { Refusal } from './refusal.ts';

/** Runs one command line and returns its exit status: 0 done, 1 refused or failed, 2 not a valid command line. */
export async function run(
  line: readonly string[],
  terminal: Terminal,
  readConfig: () => Config,
): Promise<number> {
  const out = (lines: readonly string[]) => terminal.out(printable(lines));
  const err = (text: string) => terminal.err(printable(text.split('\n')));
  try {
    const invocation = parseCommandLine(commands, line, { out: (text) => out(text.split('\n')), err });
    const outcome = await runCommand(invocation, err, readConfig());
    out(invocation.json ? [JSON.stringify(outcome.json)] : outcome.lines);
    return outcome.failed ? 1 : 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    err(reasonOf(error));
    return 1;
  }
}

/** Names and texts of callers may be in any line: what a terminal would obey is shown escaped, line ends in them too. */
const printable = (lines: readonly string[]): string => lines.map(escapeControls).join('\n');

async function runCommand(
  { command, values, id, stage }: Invocation,
  tell: (line: string) => void,
  config: Config,
): Promise<Outcome> {
  if ('runAtDesk' in command) return command.runAtDesk({ config, clock: systemClock, stage, tell }, values);
  return command.run(await connect(config, stage), values, id);
}

function reasonOf(error: unknown): string {
  if (error instanceof Refusal || error instanceof ConfigError) return error.message;
  if (error instanceof DomainError) return `refused: ${error.code}`;
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return [`${error.name}:`, error.message, code && !error.message.includes(code) && `(${code})`]
    .filter(Boolean)
    .join(' ');
}
