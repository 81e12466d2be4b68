import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Keeps other processes from using the folder until the returned function is called or this process ends, however
 * it ends: the lock is the operating system's, on a SQLite file. Throws if somebody holds it already.
 */
export function holdFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new Error(`${folder} is in use by another process`, { cause });
  }
  return () => lock.close();
}
