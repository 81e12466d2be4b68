import { randomBytes } from 'node:crypto';
import { access, chmod, constants, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { delay } from '@errand/platform';

/** The service cannot start. The message is for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Makes the folder if it is missing, and returns its absolute path. Throws `StartError` if it cannot be written. */
export async function openDataFolder(folder: string): Promise<string> {
  const absolute = path.resolve(folder);
  try {
    await makeFolder(absolute);
    await access(absolute, constants.W_OK | constants.X_OK);
    const probe = path.join(absolute, `.probe-${process.pid}`);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new StartError(
      `The data folder ${absolute} cannot be written${code}. Set DATA_DIR to another one.`,
    );
  }
  return absolute;
}

/** Makes one level at a time: on some file systems (/proc) Node's recursive mkdir never ends. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return;
    const parent = path.dirname(folder);
    if (code !== 'ENOENT' || parent === folder || (await exists(parent))) throw error;
    await makeFolder(parent);
    await mkdir(folder);
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Replaces a file at once, so that no reader sees half of it. Only its owner may read it. */
export async function writePrivate(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, text, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, file);
}

export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The secret that signs links. It is made once per data folder and shared by every process on it. */
export async function linkSecret(folder: string): Promise<string> {
  const file = path.join(folder, 'link-secret');
  const known = await readIfThere(file);
  if (known) return known;
  return withFileLock(file, async () => {
    const made = (await readIfThere(file)) || randomBytes(32).toString('hex');
    await writePrivate(file, made);
    return made;
  });
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
