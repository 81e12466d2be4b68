import { open, readFile, rm } from 'node:fs/promises';
import { delay } from '@errand/platform';

/** The text of a file; undefined if there is none. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    // Node does not name a folder that is read as a file.
    throw Object.assign(error as Error, { path: file });
  }
}

const lockAttempts = 200;
const lockWaitMilliseconds = 25;

/** Does the work while no other process holds the file's lock. A lock that a dead process left is removed. */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  for (let attempt = 0; ; attempt++) {
    try {
      await makeLock(lock);
      break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      const holder = Number(await readIfThere(lock));
      if (attempt >= lockAttempts || (holder > 0 && !isAlive(holder))) await rm(lock, { force: true });
      else await delay(lockWaitMilliseconds);
    }
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Leaves no lock behind if its holder cannot be written into it: nobody would know whose it is. */
async function makeLock(lock: string): Promise<void> {
  await using handle = await open(lock, 'wx', 0o600);
  try {
    await handle.writeFile(String(process.pid));
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
