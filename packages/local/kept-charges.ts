import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { applyCharge, type Charge } from '@errand/accounts';
import { describeError, type Log } from '@errand/platform';
import { writePrivate } from './data-folder.ts';
import type { Stoppable } from './stoppable.ts';

const retryMilliseconds = 5_000;

const folderIn = (dataDir: string) => path.join(dataDir, 'charges');

/**
 * Keeps a charge that could not be written in the data folder. The embedded queue would lose it: it ends with the same
 * process as the store.
 */
export async function keepCharge(dataDir: string, charge: Charge): Promise<void> {
  const folder = folderIn(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writePrivate(path.join(folder, `${charge.id}.json`), JSON.stringify(charge));
}

type WriteDeps = Parameters<typeof applyCharge>[0] & { log: Log };

/** Writes the charges that are kept in the data folder, now and whenever there are some. Failures are tried again. */
export async function startWritingKept(dataDir: string, deps: WriteDeps): Promise<Stoppable> {
  let writing = writeKept(dataDir, deps);
  await writing;
  const timer = setInterval(() => {
    writing = writing.then(() => writeKept(dataDir, deps));
  }, retryMilliseconds);
  return {
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}

async function writeKept(dataDir: string, deps: WriteDeps): Promise<void> {
  const folder = folderIn(dataDir);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const file = path.join(folder, name);
    try {
      const charge = JSON.parse(await readFile(file, 'utf8')) as Charge;
      await applyCharge(deps, charge);
      await rm(file);
      deps.log.info('kept charge written', { charge: charge.id });
    } catch (error) {
      deps.log.warn('kept charge not written', { file: name, ...describeError(error) });
    }
  }
}
