import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { UsageError } from '../exit-codes.ts';
import type { Session } from './session.ts';

/** The text of a file, or of stdin with `-`. */
export async function readText({ terminal }: Session, file: string): Promise<string> {
  try {
    return file === '-' ? await text(terminal.stdin) : await readFile(file, 'utf8');
  } catch {
    throw new UsageError(`The file ${file} cannot be read.`);
  }
}

/** A text that was given as it is, or as `@FILE`. */
export const readGiven = async (session: Session, given: string): Promise<string> =>
  given.startsWith('@') ? readText(session, given.slice(1)) : given;

/** The JSON in a file: an object, or a list where those are taken. `problem` says what the file is if it has neither. */
export async function readJson(
  session: Session,
  file: string,
  { problem, takesLists = false }: { problem: string; takesLists?: boolean },
): Promise<object> {
  const json = await readText(session, file);
  try {
    const read: unknown = JSON.parse(json);
    if (typeof read === 'object' && read !== null && (takesLists || !Array.isArray(read))) return read;
  } catch {
    // The error below says what is wrong.
  }
  throw new UsageError(`The file ${file} ${problem}.`);
}

/** The body of a request in a file. */
export const readBody = <Body extends object>(session: Session, file: string): Promise<Partial<Body>> =>
  readJson(session, file, { problem: 'is no JSON object' }) as Promise<Partial<Body>>;
