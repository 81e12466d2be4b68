import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's code for a lock that another process has. */
const busy = 5;

/**
 * Makes the folder, for its owner alone, if it is missing, and keeps other processes from using the folder until the
 * returned function is called or this process ends. The lock is the operating system's, on a SQLite file: it ends even
 * if the process is killed. Throws if another process has it, or if it cannot be made.
 */
export function holdFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'lock.sqlite');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock?.close();
    const { errcode, message } = cause as Error & { errcode?: number };
    const reason = errcode === busy ? `${folder} is in use by another process` : `${file}: ${message}`;
    throw new Error(reason, { cause });
  }
  const held = lock;
  return () => held.close();
}
