import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Makes the folder, for its owner alone, if it is missing, and keeps other processes from using the folder until the returned function is called or this process ends. The lock is
 * the operating system's, on a SQLite file: it ends even if the process is killed. Throws if another process has it.
 */
export function holdFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new Error(`${folder} is in use by another process`, { cause });
  }
  return () => lock.close();
}
