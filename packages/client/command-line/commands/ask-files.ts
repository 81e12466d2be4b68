import { readFile } from 'node:fs/promises';
import type { NewRun } from '../../runs/start-run.ts';
import { UsageError } from '../exit-codes.ts';

type Servers = NonNullable<NewRun['mcp']>;

/** The servers of tools that `--mcp` names: by the operator's name, or in a file, which keeps their tokens off the command line. */
export async function readServers(given: readonly string[]): Promise<Servers> {
  const all = await Promise.all(
    given.map(async (word) =>
      word.startsWith('@')
        ? ([await readJson(word.slice(1), 'neither a server of tools nor a list of them')].flat() as Servers)
        : [word],
    ),
  );
  return all.flat();
}

/** The JSON Schema in a file. */
export async function readSchema(file: string): Promise<NonNullable<NewRun['outputSchema']>> {
  const problem = 'no JSON Schema: an object';
  const schema = await readJson(file, problem);
  if (!Array.isArray(schema)) return schema as NonNullable<NewRun['outputSchema']>;
  throw new UsageError(`The file ${file} has ${problem} as JSON.`);
}

async function readJson(file: string, problem: string): Promise<object> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The file ${file} cannot be read.`);
  });
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null) return read;
  } catch {
    // The error below says what is wrong.
  }
  throw new UsageError(`The file ${file} has ${problem} as JSON.`);
}
