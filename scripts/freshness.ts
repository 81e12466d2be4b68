import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './bundle-function.ts';

const recordName = 'inputs.json';

/** Whether what was built is newer than all that it was made of, by a record that `recordInputs` wrote. */
export async function isFresh(record: string): Promise<boolean> {
  try {
    const { mtimeMs: madeAt } = await stat(record);
    const inputs = JSON.parse(await readFile(record, 'utf8')) as string[];
    const times = await Promise.all(
      [...inputs, 'package-lock.json'].map((file) => stat(path.join(root, file))),
    );
    return times.every(({ mtimeMs }) => mtimeMs < madeAt);
  } catch {
    return false;
  }
}

/** Writes down the files, and folders that may get more files, that a build was made of. Paths are from the root. */
export async function recordInputs(record: string, inputs: readonly string[]): Promise<void> {
  await mkdir(path.dirname(record), { recursive: true });
  await writeFile(record, JSON.stringify([...new Set(inputs)]));
}

/**
 * Fills a folder with what `make` puts into the folder that it is given, unless what is there is newer than all that it was made
 * of. `make` resolves with that. Files that are not made any more go. Several processes may do so at once.
 */
export async function fillFolder(
  folder: string,
  make: (made: string) => Promise<readonly string[]>,
): Promise<void> {
  const record = path.join(folder, recordName);
  if (await isFresh(record)) return;
  await mkdir(folder, { recursive: true });
  const made = await mkdtemp(path.join(folder, 'made-'));
  try {
    const inputs = await make(made);
    const names = await readdir(made);
    for (const name of names) await rename(path.join(made, name), path.join(folder, name));
    await removeOthers(folder, new Set([recordName, ...names]));
    await recordInputs(path.join(made, recordName), inputs);
    await rename(path.join(made, recordName), record);
  } finally {
    await rm(made, { recursive: true });
  }
}

async function removeOthers(folder: string, kept: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isFile() && !kept.has(entry.name)) await rm(path.join(folder, entry.name), { force: true });
}
