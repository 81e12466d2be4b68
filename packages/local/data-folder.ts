import { randomBytes } from 'node:crypto';
import { access, chmod, constants, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { leastSecretCharacters } from '@errand/platform';
import { readIfThere, withFileLock } from './file-lock.ts';
import { isDiskFull, StartError, toStartError } from './start-error.ts';

/**
 * Makes the folder if it is missing, takes it from the machine's other users, and returns its absolute path. Throws
 * `StartError` if it cannot be written.
 */
export async function openDataFolder(folder: string): Promise<string> {
  const absolute = path.resolve(folder);
  try {
    await makeFolder(absolute);
    await access(absolute, constants.W_OK | constants.X_OK);
    await makePrivate(absolute);
    const probe = path.join(absolute, `.probe-${process.pid}`);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (isDiskFull(error)) throw toStartError(error, absolute);
    const reason = code && ` (${code})`;
    throw new StartError(
      `The data folder ${absolute} cannot be written${reason}. Set DATA_DIR to another one.`,
    );
  }
  return absolute;
}

const ownNames =
  /^(charges$|dynamodb\.sqlite|files$|first-key\.json|link-secret|service\.json|stand-ins\.json|store-secret)/;
/** An operator may keep the catalogue in the data folder. Several processes may probe at once. */
const otherNames = /^(catalogue|\.probe-)/;

/**
 * Lets only the owner read what the service keeps in the folder. The folder itself becomes private too, unless it holds
 * other things or belongs to another user: it may be one that others need.
 */
async function makePrivate(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.every(({ name }) => ownNames.test(name) || otherNames.test(name)))
    await chmod(folder, 0o700).catch(ignoring('EPERM'));
  for (const entry of entries)
    if (ownNames.test(entry.name))
      await chmod(path.join(folder, entry.name), entry.isDirectory() ? 0o700 : 0o600).catch(
        // Another process may have removed a lock or a temporary file. Only its owner may close a file to others.
        ignoring('ENOENT', 'EPERM'),
      );
}

const ignoring =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException) => {
    if (error.code === undefined || !codes.includes(error.code)) throw error;
  };

/** Makes one level at a time: on some file systems (/proc) Node's recursive mkdir never ends. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, 0o700);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return;
    const parent = path.dirname(folder);
    if (code !== 'ENOENT' || parent === folder || (await exists(parent))) throw error;
    await makeFolder(parent);
    await mkdir(folder, 0o700);
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Replaces a file at once, so that no reader sees half of it. Only its owner may read it. */
export async function writePrivate(file: string, text: string): Promise<void> {
  // The same file may be written twice at once: by two processes, or again while a slow disk still has the first.
  const temporary = `${file}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    // On the disk before it has its name: after a power cut the file is whole, or not there.
    await writeFile(temporary, text, { mode: 0o600, flush: true });
    await chmod(temporary, 0o600);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The secret that signs links. */
export const linkSecret = (folder: string): Promise<string> => ownSecret(folder, 'link-secret');

/** The secrets by which what is stored is encrypted: the first line of the file, and earlier ones in further lines. */
export async function storeSecrets(folder: string): Promise<string[]> {
  const lines = (await ownSecret(folder, 'store-secret')).split('\n').map((line) => line.trim());
  const secrets = lines.filter(Boolean);
  if (secrets.some(({ length }) => length < leastSecretCharacters))
    throw new StartError(
      `${path.join(folder, 'store-secret')} has a line of fewer than ${leastSecretCharacters} characters.`,
    );
  return secrets;
}

/** A secret that is made once per data folder and shared by every process on it. */
async function ownSecret(folder: string, name: string): Promise<string> {
  const file = path.join(folder, name);
  const known = await readIfThere(file);
  if (known) return known;
  return withFileLock(file, async () => {
    const made = (await readIfThere(file)) || randomBytes(32).toString('hex');
    await writePrivate(file, made);
    return made;
  });
}
