import { readFile } from 'node:fs/promises';
import type { NewRun } from '../../runs/start-run.ts';
import { UsageError } from '../exit-codes.ts';

type Servers = NonNullable<NewRun['mcp']>;

/** The servers of tools that `--mcp` names: by the operator's name, or in a file, which keeps their tokens off the command line. */
export async function readServers(given: readonly string[]): Promise<Servers> {
  const all = await Promise.all(
    given.map(async (word) => (word.startsWith('@') ? readServerFile(word.slice(1)) : [word])),
  );
  return all.flat();
}

async function readServerFile(file: string): Promise<Servers> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The file ${file} cannot be read.`);
  });
  try {
    const servers: unknown = JSON.parse(text);
    if (typeof servers === 'object' && servers !== null) return [servers].flat() as Servers;
  } catch {
    // Said below.
  }
  throw new UsageError(`The file ${file} has neither a server of tools nor a list of them as JSON.`);
}
