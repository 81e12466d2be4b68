import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './bundle-function.ts';

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
