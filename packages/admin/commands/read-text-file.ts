import { readFile } from 'node:fs/promises';
import { Refusal } from '../refusal.ts';

/** Throws `Refusal` for a file that cannot be read, or is no UTF-8. */
export async function readTextFile(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof TypeError) throw new Refusal(`${file} is not valid UTF-8.`);
    throw new Refusal(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}
