import { parseArgs } from 'node:util';
import { type Kind, kinds } from './tasks/task.ts';

/** Parts of a run that a service can be told to leave out. */
export const parts = ['passages', 'proof', 'compaction'] as const;

export interface Options {
  kinds: readonly Kind[];
  model?: string;
  without: readonly string[];
  against?: string;
  tasksAtOnce: number;
  details: boolean;
}

const usage = `usage: npm run eval [-- --only KIND,... --model ID --without ${parts.join(',')} --against DIR --parallel N --details]
kinds: ${kinds.join(', ')}`;

/** Reads the command line. Throws with the usage. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parse(args);
  const only = listOf(values.only);
  const without = listOf(values.without);
  refuseUnknown('kind', only, kinds);
  refuseUnknown('part', without, parts);
  const tasksAtOnce = Number(values.parallel ?? 4);
  if (!Number.isInteger(tasksAtOnce) || tasksAtOnce < 1)
    throw new Error(`--parallel must be a whole number over 0\n${usage}`);
  return {
    kinds: only.length === 0 ? kinds : kinds.filter((kind) => only.includes(kind)),
    ...(values.model !== undefined && { model: values.model }),
    without,
    ...(values.against !== undefined && { against: values.against }),
    tasksAtOnce,
    details: values.details ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        model: { type: 'string' },
        without: { type: 'string' },
        against: { type: 'string' },
        parallel: { type: 'string' },
        details: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

const listOf = (text: string | undefined): string[] => text?.split(',').filter(Boolean) ?? [];

function refuseUnknown(what: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no ${what} named ${unknown.join(', ')}\n${usage}`);
}
