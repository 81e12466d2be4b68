import { InvalidArgumentError, Option, Command as Program } from 'commander';
import type { Command, Terminal, Values } from './command.ts';
import { UsageError } from './refusal.ts';

export interface Invocation {
  command: Command;
  values: Values<string>;
  id: string;
  json: boolean;
  stage: string | undefined;
}

/** The usage line of a command, or of each command of a noun. */
const usageLines = (program: Program): string[] =>
  program.commands.length > 0
    ? program.commands.flatMap(usageLines)
    : [`usage: npm run -s admin -- ${program.usage()}`];

/** Parses a command line. Throws `CommanderError` once the problem and a usage line, or the help, are told. */
export function parseCommandLine(
  commands: readonly Command[],
  line: readonly string[],
  { out, err }: Terminal,
): Invocation {
  /** Commander takes the next word for an option's value, even if it is an option. */
  const read = (text: string): string => {
    if (/^-\D/.test(text) && line.includes(text)) throw new InvalidArgumentError('It is an option.');
    return text;
  };
  const program = new Program()
    .exitOverride()
    .configureOutput({ writeOut: (text) => out(text.trimEnd()), writeErr: (text) => err(text.trimEnd()) })
    .configureHelp({ formatHelp: (of) => usageLines(of).join('\n') })
    .showHelpAfterError();
  let invocation: Invocation | undefined;
  for (const command of commands) {
    const [noun = '', verb] = command.name.split(' ');
    const group = program.commands.find((one) => one.name() === noun);
    const parsed =
      verb === undefined ? program.command(noun) : (group ?? program.command(noun)).command(verb);
    const { argument, oneOf = [], options = [] } = command;
    if (argument !== undefined) parsed.argument(`<${argument}>`);
    const needed: Option[] = [];
    for (const flags of [...oneOf, ...options, '[--json]', '[--stage <NAME>]']) {
      const option = new Option(flags.replace(/^\[(.*)\]$/, '$1'));
      parsed.addOption(option.required ? option.argParser(read) : option);
      if (!flags.startsWith('[')) needed.push(option);
    }
    const either = oneOf.map((flags) => flags.slice(1, -1)).join(' | ');
    const usage = [command.name, argument, either, ...options, '[--json] [--stage NAME]']
      .filter(Boolean)
      .join(' ');
    parsed.usage(usage.replace(/[<>]/g, '')).action((id) => {
      const { json = false, stage, ...values } = parsed.opts();
      // Commander would tell of a missing option before it tells of an unknown one, which may be the same, misspelled.
      const missing = needed.find((option) => values[option.attributeName()] === undefined);
      if (missing) parsed.error(`error: required option '${missing.flags}' not specified`);
      try {
        command.check?.(values);
      } catch (error) {
        throw error instanceof UsageError ? parsed.error(`error: ${error.message}`) : error;
      }
      invocation = { command, values, id: argument === undefined ? '' : id, json, stage };
    });
  }
  program.parse(line, { from: 'user' });
  return invocation as Invocation;
}
