import { parseArgs } from 'node:util';
import type { Command, Values } from './command.ts';
import { UsageError } from './refusal.ts';

export interface Invocation {
  command: Command;
  values: Values<Command['options']>;
  id: string;
  json: boolean;
  stage: string | undefined;
}

const globalOptions = { json: { type: 'boolean' }, stage: { type: 'string' } } as const;

const start = 'usage: npm run -s admin --';

export const usageOf = (command: Command): string =>
  `${start} ${[command.name, command.usage].filter(Boolean).join(' ')} [--json] [--stage NAME]`;

export const usageOfAll = (commands: readonly Command[]): string =>
  `${start} COMMAND ... [--json] [--stage NAME], where COMMAND is one of: ${commands.map(({ name }) => name).join(', ')}`;

/** Parses a command line. Throws `UsageError` with the problem and a usage line. */
export function parseCommandLine(commands: readonly Command[], line: readonly string[]): Invocation {
  const command = commands.find(({ name }) => name === line.slice(0, wordsOf(name)).join(' '));
  if (!command) {
    const words = line.slice(0, 2);
    const problem = words.length > 0 ? `unknown command: ${words.join(' ')}` : 'a command is missing';
    throw new UsageError(`${problem}\n${usageOfAll(commands)}`);
  }
  try {
    return parseOptions(command, line.slice(wordsOf(command.name)));
  } catch (error) {
    if (!(error instanceof UsageError || isParseError(error))) throw error;
    throw new UsageError(`${error.message}\n${usageOf(command)}`);
  }
}

const wordsOf = (name: string): number => name.split(' ').length;

function parseOptions(command: Command, rest: readonly string[]): Invocation {
  const { values, positionals } = parseArgs({
    args: joinNegatives(rest),
    options: { ...command.options, ...globalOptions },
    allowPositionals: true,
  });
  const { json, stage, ...own } = values as Record<string, string | boolean | undefined>;
  for (const [name, spec] of Object.entries(command.options))
    if ('required' in spec && own[name] === undefined) throw new UsageError(`--${name} is missing`);
  const expected = command.takesId ? 1 : 0;
  if (positionals.length < expected) throw new UsageError('an id is missing');
  if (positionals.length > expected) throw new UsageError(`unexpected argument: ${positionals[expected]}`);
  const commandValues = own as Invocation['values'];
  command.check?.(commandValues);
  return {
    command,
    values: commandValues,
    id: positionals[0] ?? '',
    json: json === true,
    stage: stage as string | undefined,
  };
}

/** Joins `--amount -5` to `--amount=-5`: parseArgs would take `-5` for another option. */
function joinNegatives(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (/^-\d/.test(word) && last !== undefined && /^--[a-z-]+$/.test(last))
      joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}

const isParseError = (error: unknown): error is Error =>
  error instanceof TypeError &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('ERR_PARSE_ARGS_');
