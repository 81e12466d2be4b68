import { open, readFile, rm } from 'node:fs/promises';
import { delay } from '@errand/platform';

/** The text of a file; undefined if there is none. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const lockAttempts = 200;
const lockWaitMilliseconds = 25;

/** Does the work while no other process holds the file's lock. A lock that a dead process left is removed. */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  for (let attempt = 0; ; attempt++) {
    try {
      const handle = await open(lock, 'wx', 0o600);
      await handle.writeFile(String(process.pid));
      await handle.close();
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

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
