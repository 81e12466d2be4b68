import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const temporarySuffix = '.tmp';

/** Forces a folder's list of names to disk, so that added and removed files survive a loss of power. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

/** Writes a new file and forces it to disk. Leaves nothing if that fails. */
export async function writeNewFile(path: string, data: string | AsyncIterable<Buffer>): Promise<void> {
  try {
    await using handle = await open(path, 'wx');
    await handle.writeFile(data);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/**
 * Replaces a file atomically: even after a crash, readers see either the old text or the new. When the new text is on
 * disk, `commit` must call `replace` and change the records in memory in the same turn. If it throws before `replace`,
 * the old file stays.
 */
export async function replaceFile(
  path: string,
  text: string,
  commit: (replace: () => void) => void = (replace) => replace(),
): Promise<void> {
  const temporary = `${path}.${randomUUID()}${temporarySuffix}`;
  await writeNewFile(temporary, text);
  try {
    commit(() => renameSync(temporary, path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** The finished files of a folder. Removes files that a crash left half written. */
export async function listFinished(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const unfinished = names.filter((name) => name.endsWith(temporarySuffix));
  await Promise.all(unfinished.map((name) => rm(join(folder, name))));
  return names.filter((name) => !name.endsWith(temporarySuffix));
}

/** A record that `replaceFile` wrote. Throws an error with the file's name if something else stands there. */
export async function readRecord<Record>(path: string): Promise<Record> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record;
  } catch (cause) {
    throw new Error(`${path} is not a record of this store`, { cause });
  }
}
